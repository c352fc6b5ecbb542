-- What is believed, and what was believed before it.

-- name: lines_of_succession
-- Entries, whatever took their place, and everything these took the place of.
WITH RECURSIVE
  later (id) AS (
    SELECT value FROM json_each(:ids)
    UNION
    SELECT entries.superseded_by FROM entries JOIN later ON entries.id = later.id
    WHERE entries.superseded_by IS NOT NULL
  ),
  line (id) AS (
    SELECT id FROM later
    UNION
    SELECT entries.id FROM entries JOIN line ON entries.superseded_by = line.id
  )
SELECT id FROM line;

-- name: changes_of
-- What people did with entries, in order.
SELECT at, act, entry, value FROM records
WHERE act IN ('revise', 'archive', 'review')
  AND (entry IN (SELECT value FROM json_each(:ids))
       OR (act = 'review' AND value ->> 'other' IN (SELECT value FROM json_each(:ids))))
ORDER BY id;
