SELECT kind, count(*), round(sum(rating), 3) FROM records GROUP BY kind ORDER BY kind;
SELECT name, round(max(value), 3) FROM records WHERE kind = 'order' GROUP BY name ORDER BY 2 DESC, 1 LIMIT 9;
SELECT a.name, count(*) FROM records a JOIN records b ON a.name = b.name AND a.kind < b.kind GROUP BY a.name ORDER BY 1;
UPDATE records SET rating = rating + value WHERE id % 3 = 0;
SELECT round(total(rating), 3), sum(length(unpacked(text))) FROM records;
