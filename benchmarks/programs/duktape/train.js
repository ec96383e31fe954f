// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training script: shares no program with reference.js. Shapes with inherited methods, sorting
// with a comparison function, a word count, JSON, closures and a sieve. Prints checksums.

function Shape(name) { this.name = name; }
Shape.prototype.area = function () { return 0; };
Shape.prototype.describe = function () { return this.name + ' ' + this.area().toFixed(2); };

function Circle(r) { Shape.call(this, 'circle'); this.r = r; }
Circle.prototype = Object.create(Shape.prototype);
Circle.prototype.area = function () { return 3.14159 * this.r * this.r; };

function Box(w, h) { Shape.call(this, 'box'); this.w = w; this.h = h; }
Box.prototype = Object.create(Shape.prototype);
Box.prototype.area = function () { return this.w * this.h; };

function shapes(n) {
  var total = 0, text = 0;
  for (var i = 1; i <= n; i++) {
    var shape = i % 3 ? new Circle(i % 17) : new Box(i % 11, i % 5);
    total += shape.area();
    if (i % 8 === 0) { text += shape.describe().length; }
  }
  return Math.round(total) + text;
}

function random(seed) {
  return function (below) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % below;
  };
}

function sorting(n) {
  var next = random(7), list = [];
  for (var i = 0; i < n; i++) { list.push({ key: next(1000), tag: 'k' + i % 10 }); }
  list.sort(function (a, b) { return a.key - b.key || (a.tag < b.tag ? -1 : 1); });
  return list.filter(function (e, i) { return i % 2; })
    .map(function (e) { return e.key; })
    .reduce(function (a, b) { return (a * 31 + b) % 1000003; }, 1);
}

function words(n) {
  var vocabulary = ['hail', 'rime', 'sleet', 'graupel', 'snow', 'fog'], next = random(3);
  var text = [];
  for (var i = 0; i < n; i++) { text.push(vocabulary[next(vocabulary.length)]); }
  var counts = {};
  text.join(' ').split(' ').forEach(function (w) { counts[w] = (counts[w] || 0) + 1; });
  return Object.keys(counts).sort().map(function (w) { return w + counts[w]; }).join();
}

function json(n) {
  var sum = 0;
  for (var i = 0; i < n; i++) {
    var text = JSON.stringify({ id: i, list: [1, 2, i], nested: { ok: i % 2 === 0, s: 'a"b' } });
    sum += text.length + JSON.parse(text).list[2];
  }
  return sum;
}

function sieve(limit) {
  var composite = [], count = 0;
  for (var i = 2; i < limit; i++) {
    if (composite[i]) { continue; }
    count++;
    for (var j = i * 2; j < limit; j += i) { composite[j] = true; }
  }
  return count;
}

function thrown(n) {
  var caught = 0;
  for (var i = 0; i < n; i++) {
    try {
      if (i % 4 === 0) { throw new RangeError('r' + i); }
      caught += 1;
    } catch (e) { caught += e.message.length; }
  }
  return caught;
}

print(shapes(900 * scale));
print(sorting(60 * scale));
print(words(150 * scale));
print(json(30 * scale));
print(sieve(500 * scale));
print(thrown(60 * scale));
