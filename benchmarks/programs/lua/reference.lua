-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Reference script: the run that is measured. Call-intensive work that shares no
-- program with train.lua: Fibonacci, n-queens, an expression parser and evaluator,
-- a bank of objects with metamethods, string building and scanning, a heap-based
-- shortest path and protected calls. Prints checksums only.
-- Usage: lua reference.lua [scale]

local scale = tonumber(arg and arg[1]) or 10

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function queens(n)
  local column, rising, falling, found = {}, {}, {}, 0
  local function place(row)
    if row > n then found = found + 1 return end
    for c = 1, n do
      local up, down = row + c, row - c + n
      if not (column[c] or rising[up] or falling[down]) then
        column[c], rising[up], falling[down] = true, true, true
        place(row + 1)
        column[c], rising[up], falling[down] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end

-- Recursive-descent parser: text -> closures, evaluated for many x.
local function compile(text)
  local pos = 1
  local expression
  local function peek()
    pos = text:find("%S", pos) or #text + 1
    return text:sub(pos, pos)
  end
  local function primary()
    local c = peek()
    if c == "(" then
      pos = pos + 1
      local inner = expression()
      assert(peek() == ")")
      pos = pos + 1
      return inner
    elseif c == "x" then
      pos = pos + 1
      return function(x) return x end
    end
    local first, last = text:find("^%d+", pos)
    local value = tonumber(text:sub(first, last))
    pos = last + 1
    return function() return value end
  end
  local function product()
    local left = primary()
    while peek() == "*" do
      pos = pos + 1
      local a, b = left, primary()
      left = function(x) return a(x) * b(x) % 65521 end
    end
    return left
  end
  function expression()
    local left = product()
    while true do
      local op = peek()
      if op ~= "+" and op ~= "-" then return left end
      pos = pos + 1
      local a, b = left, product()
      if op == "+" then
        left = function(x) return a(x) + b(x) end
      else
        left = function(x) return a(x) - b(x) end
      end
    end
  end
  return expression()
end

local function parser(n)
  local sum = 0
  for i = 1, n do
    local f = compile(string.format("(%d + x) * (x - %d) + 3*x*x - (x+(%d*x))", i, i * 7, i % 13))
    for x = 1, 12 do sum = (sum + f(x)) % 1000033 end
  end
  return sum
end

-- Value objects with metamethods, accounts with method calls and error paths.
local Money = {}
Money.__index = Money
local function money(cents) return setmetatable({ cents = cents }, Money) end
function Money.__add(a, b) return money(a.cents + b.cents) end
function Money.__lt(a, b) return a.cents < b.cents end
function Money.__eq(a, b) return a.cents == b.cents end
function Money:__tostring() return string.format("%d.%02d", self.cents // 100, self.cents % 100) end

local Account = {}
Account.__index = Account
function Account.open() return setmetatable({ balance = money(0), log = {} }, Account) end
function Account:deposit(amount)
  self.balance = self.balance + amount
  self.log[#self.log + 1] = "d"
end
function Account:withdraw(amount)
  if self.balance < amount then error("insufficient") end
  self.balance = self.balance + money(-amount.cents)
  self.log[#self.log + 1] = "w"
end

local function bank(n)
  local accounts, refused = {}, 0
  for i = 1, 10 do accounts[i] = Account.open() end
  for i = 1, n do
    local account = accounts[i * 7 % 10 + 1]
    if i % 3 == 0 then
      local ok = pcall(account.withdraw, account, money(i % 450))
      if not ok then refused = refused + 1 end
    else
      account:deposit(money(i % 200))
    end
  end
  local text = {}
  for _, account in ipairs(accounts) do text[#text + 1] = tostring(account.balance) .. #account.log end
  return refused .. ":" .. table.concat(text, "/")
end

local function rot(text, k)
  return (text:gsub("%a", function(c)
    local base = c:byte() < 97 and 65 or 97
    return string.char((c:byte() - base + k) % 26 + base)
  end))
end

local function strings(n)
  local parts = {}
  for i = 1, n do
    local line = "Item " .. i .. ": value=" .. (i * 2654435761 % 4093) .. "; tag=" .. rot("graupel", i)
    local key, value = line:match("(%a+) %d+: value=(%d+)")
    if line:find("tag=g", 1, true) then key = key:lower() end
    parts[#parts + 1] = key .. value:reverse()
  end
  local all = table.concat(parts, "\n")
  local hash = 7
  for i = 1, #all, 3 do hash = (hash * 31 + all:byte(i)) % 2147483647 end
  return hash
end

-- Dijkstra on an implicit grid with a binary heap.
local function grid(side)
  local heap, size = {}, 0
  local function push(cost, node)
    size = size + 1
    local i = size
    while i > 1 and heap[i // 2].cost > cost do
      heap[i] = heap[i // 2]
      i = i // 2
    end
    heap[i] = { cost = cost, node = node }
  end
  local function pop()
    local top, last = heap[1], heap[size]
    heap[size] = nil
    size = size - 1
    local i = 1
    while 2 * i <= size do
      local child = 2 * i
      if child < size and heap[child + 1].cost < heap[child].cost then child = child + 1 end
      if heap[child].cost >= last.cost then break end
      heap[i] = heap[child]
      i = child
    end
    if size > 0 then heap[i] = last end
    return top
  end
  local done, target = {}, side * side - 1
  push(0, 0)
  while size > 0 do
    local top = pop()
    if top.node == target then return top.cost end
    if not done[top.node] then
      done[top.node] = true
      local x, y = top.node % side, top.node // side
      local function visit(nx, ny)
        if nx >= 0 and nx < side and ny >= 0 and ny < side then
          local next = ny * side + nx
          if not done[next] then push(top.cost + (next * 131 + 17) % 9 + 1, next) end
        end
      end
      visit(x + 1, y) visit(x - 1, y) visit(x, y + 1) visit(x, y - 1)
    end
  end
end

for round = 1, scale do
  print(round, fib(17 + round % 3), queens(6), parser(60), bank(2500), strings(400), grid(24))
end
