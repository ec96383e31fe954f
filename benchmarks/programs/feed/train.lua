-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Rates orders: counts words, looks prices up, remembers customers.

local prices = {hail = 3, rime = 5, sleet = 2, graupel = 7, snow = 1, fog = 4}
local customers = {}

local function words(text)
  local count, sum = {}, 0
  for word in text:gmatch("%a+") do
    count[word] = (count[word] or 0) + 1
    sum = sum + (prices[word] or 0)
  end
  return count, sum
end

return function(kind, text, value)
  local count, sum = words(text)
  local customer = text:match("for (%a+)") or "nobody"
  local known = customers[customer] or {orders = 0, sum = 0}
  known.orders, known.sum = known.orders + 1, known.sum + sum
  customers[customer] = known
  local distinct = 0
  for _ in pairs(count) do distinct = distinct + 1 end
  return sum * value + distinct + known.orders % 7 - (kind == "return" and known.sum % 11 or 0)
end
