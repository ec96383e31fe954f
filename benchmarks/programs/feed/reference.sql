WITH RECURSIVE steps(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < 40)
  SELECT n, (SELECT count(*) FROM records WHERE rating > n * 10) FROM steps;
SELECT kind, substr(unpacked(text), 1, 30) FROM records WHERE unpacked(text) LIKE '%graupel%hail%' ORDER BY rating, id LIMIT 12;
SELECT name, printf('%.4f', avg(rating) OVER (PARTITION BY kind ORDER BY id ROWS 5 PRECEDING)) FROM records ORDER BY id LIMIT 25;
DELETE FROM records WHERE rating < (SELECT avg(rating) FROM records);
CREATE TABLE kept AS SELECT kind, upper(name) AS name, instr(unpacked(text), 'fog') AS fog FROM records;
SELECT kind, group_concat(DISTINCT fog), count(DISTINCT name) FROM kept GROUP BY kind HAVING count(*) > 1;
SELECT count(*) FROM kept k WHERE EXISTS (SELECT 1 FROM records r WHERE r.name = lower(k.name) AND r.value > 50);
