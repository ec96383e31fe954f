// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference script: the run that is measured. Shares no program with train.js: a recursive
// function, a binary tree, n-queens, a compiler of arithmetic to closures, a text scanner with
// regular expressions, a matrix and an event queue. Prints checksums.

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

function Tree() { this.root = null; this.size = 0; }
Tree.prototype.insert = function (key) {
  var node = { key: key, left: null, right: null }, at = this.root;
  if (!at) { this.root = node; this.size++; return; }
  while (true) {
    if (key === at.key) { return; }
    var side = key < at.key ? 'left' : 'right';
    if (!at[side]) { at[side] = node; this.size++; return; }
    at = at[side];
  }
};
Tree.prototype.each = function (visit) {
  (function walk(node) {
    if (!node) { return; }
    walk(node.left); visit(node.key); walk(node.right);
  }(this.root));
};

function trees(n) {
  var tree = new Tree(), sum = 0, key = 1;
  for (var i = 0; i < n; i++) { key = key * 16807 % 2147483647; tree.insert(key % 5000); }
  tree.each(function (k) { sum = (sum * 7 + k) % 999983; });
  return tree.size + ':' + sum;
}

function queens(n) {
  var found = 0;
  function place(row, columns, up, down) {
    if (row === n) { found++; return; }
    for (var free = ~(columns | up | down) & ((1 << n) - 1); free; free &= free - 1) {
      var bit = free & -free;
      place(row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1);
    }
  }
  place(0, 0, 0, 0);
  return found;
}

function compile(text) {
  var tokens = text.match(/\d+|[-+*()x]/g), at = 0;
  function factor() {
    var token = tokens[at++];
    if (token === '(') { var inner = sum(); at++; return inner; }
    if (token === 'x') { return function (x) { return x; }; }
    var value = +token;
    return function () { return value; };
  }
  function product() {
    var left = factor();
    while (tokens[at] === '*') { at++; left = join(left, factor(), '*'); }
    return left;
  }
  function sum() {
    var left = product();
    while (tokens[at] === '+' || tokens[at] === '-') { left = join(left, product(), tokens[at++]); }
    return left;
  }
  function join(a, b, operator) {
    switch (operator) {
    case '*': return function (x) { return a(x) * b(x) % 65521; };
    case '+': return function (x) { return a(x) + b(x); };
    default: return function (x) { return a(x) - b(x); };
    }
  }
  return sum();
}

function calculator(n) {
  var total = 0;
  for (var i = 1; i <= n; i++) {
    var f = compile('(' + i + '*x)*(x*' + i % 7 + ')*3');
    for (var x = 0; x < 10; x++) { total = (total + f(x)) % 1000033; }
  }
  return total;
}

function scanner(n) {
  var log = [], fields = 0;
  for (var i = 0; i < n; i++) {
    log.push('10.0.' + i % 7 + '.' + i % 250 + ' GET /page/' + i * 37 % 101 + '?q=' + i % 9);
  }
  log.forEach(function (line) {
    var parts = /^(\d+)\.\d+\.(\d+)\.(\d+) (\w+) \/page\/(\d+)/.exec(line);
    fields += +parts[2] + +parts[5] + line.replace(/[a-z]/g, '').length;
    fields += line.substring(line.indexOf('?')).charCodeAt(3);
  });
  return fields;
}

function matrix(n) {
  var a = [], i, j, k, trace = 0;
  for (i = 0; i < n; i++) {
    for (a.push([]), j = 0; j < n; j++) { a[i].push((i * j + i + j) % 10); }
  }
  for (i = 0; i < n; i++) {
    for (j = 0; j < n; j++) {
      var cell = 0;
      for (k = 0; k < n; k++) { cell += a[i][k] * a[k][j]; }
      if (i === j) { trace += cell; }
    }
  }
  return trace;
}

function Queue() { this.heap = []; }
Queue.prototype = {
  push: function (event) {
    var heap = this.heap, at = heap.push(event) - 1;
    while (at > 0) {
      var up = (at - 1) >> 1;
      if (heap[up].time <= event.time) { break; }
      heap[at] = heap[up];
      heap[at = up] = event;
    }
  },
  pop: function () {
    var heap = this.heap, first = heap[0], last = heap.pop(), at = 0;
    if (!heap.length) { return first; }
    while (true) {
      var next = 2 * at + 1;
      if (next + 1 < heap.length && heap[next + 1].time < heap[next].time) { next++; }
      if (next >= heap.length || heap[next].time >= last.time) { break; }
      heap[at] = heap[next];
      at = next;
    }
    heap[at] = last;
    return first;
  }
};

function events(n) {
  var queue = new Queue(), clock = 0;
  for (var i = 0; i < 40; i++) { queue.push({ time: i * 13 % 31, step: i % 5 + 1 }); }
  for (i = 0; i < n; i++) {
    var event = queue.pop();
    clock = event.time;
    queue.push({ time: clock + event.step, step: event.step % 5 + 1 });
  }
  return clock;
}

for (var round = 0; round < scale; round++) {
  print([fib(15), trees(500), queens(6), calculator(25), scanner(60), matrix(14),
    events(400)].join(' '));
}
