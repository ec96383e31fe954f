-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Training script: small pieces that walk the same parts of the interpreter as
-- reference.lua (calls, tables, strings, closures, methods, coroutines), with
-- other programs and in other proportions, so that a layout that only fits the
-- training run shows. Prints checksums only. Usage: lua train.lua [scale]

local scale = tonumber(arg and arg[1]) or 10

local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end

-- Towers of Hanoi over tables used as stacks.
local function hanoi(count)
  local pegs = { {}, {}, {} }
  for i = count, 1, -1 do table.insert(pegs[1], i) end
  local moves = 0
  local function move(n, from, to, via)
    if n == 0 then return end
    move(n - 1, from, via, to)
    table.insert(pegs[to], table.remove(pegs[from]))
    moves = moves + 1
    move(n - 1, via, to, from)
  end
  move(count, 1, 3, 2)
  return moves + #pegs[3]
end

-- Single inheritance through __index; polymorphic area().
local Shape = {}
Shape.__index = Shape
function Shape.new(class, fields) return setmetatable(fields, class) end
function Shape:area() return 0 end
function Shape:scaled(k) return self:area() * k end
local Square = setmetatable({}, { __index = Shape })
Square.__index = Square
function Square:area() return self.side * self.side end
local Strip = setmetatable({}, { __index = Shape })
Strip.__index = Strip
function Strip:area() return self.w * self.h end

local function shapes(n)
  local sum = 0
  for i = 1, n do
    local shape
    if i % 3 == 0 then
      shape = Shape.new(Square, { side = i % 7 })
    else
      shape = Shape.new(Strip, { w = i % 5, h = i % 11 })
    end
    sum = sum + shape:scaled(2)
  end
  return sum
end

local function words(n)
  local list = {}
  for i = 1, n do
    list[#list + 1] = string.format("%s-%04d", string.rep("ab", i % 4 + 1), i * 37 % 1009)
  end
  table.sort(list)
  local joined = table.concat(list, ",")
  local upper = joined:upper():gsub("AB", "x")
  local digits = 0
  for d in upper:gmatch("%d+") do digits = digits + tonumber(d) end
  return #upper + digits
end

local function compose(n)
  local function add(k) return function(x) return x + k end end
  local chain = function(x) return x end
  for i = 1, 20 do
    local inner, step = chain, add(i)
    chain = function(x) return step(inner(x)) end
  end
  local sum = 0
  for i = 1, n do sum = (sum + chain(i)) % 1000003 end
  return sum
end

local function producer(n)
  local co = coroutine.wrap(function()
    for i = 1, n do coroutine.yield(i * i % 97) end
    return -1
  end)
  local sum = 0
  while true do
    local v = co()
    if v < 0 then return sum end
    sum = sum + v
  end
end

local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end

for round = 1, scale do
  print(round, ackermann(2, 30 + round % 5), hanoi(9), shapes(4000), words(600),
        compose(800), producer(3000), sieve(8000))
end
