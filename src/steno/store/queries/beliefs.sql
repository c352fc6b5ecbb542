-- What is believed, and what was believed before it.

-- name: lines_of_succession
-- Entries, whatever took their place, and everything these took the place of; none that is out of scope.
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
SELECT line.id FROM line JOIN entries ON entries.id = line.id
WHERE ((:project IS NULL AND coalesce(:agent, entries.agent, '') = coalesce(entries.agent, ''))
       OR EXISTS (SELECT 1 FROM v_audience AS audience
                  WHERE audience.entry = entries.id AND audience.project IN ('', :project) AND audience.agent IN ('', :agent)));

-- name: changes_of
-- What people did with entries, in order.
SELECT at, act, entry, value FROM records
WHERE act IN ('revise', 'archive', 'review')
  AND (entry IN (SELECT value FROM json_each(:ids))
       OR (act = 'review' AND value ->> 'other' IN (SELECT value FROM json_each(:ids))))
ORDER BY id;

-- name: quotes_found
-- For each quote of some entries, whether it stands in its turn now.
SELECT evidence.entry, instr(turns.text, evidence.quote) > 0
FROM evidence LEFT JOIN turns ON turns.id = evidence.turn_id
WHERE evidence.entry IN (SELECT value FROM json_each(:ids)) ORDER BY evidence.entry, evidence.place;

-- name: given_out
-- The last receipts that name each of some entries, the latest first, and how many there are. A receipt names an entry
-- as "entry:ID", "rule:ID", "reason:ID" or "reminder:ID".
WITH counted AS MATERIALIZED (
  SELECT value AS entry, ':' || value || '"' AS name,
         (SELECT count(*) FROM receipts WHERE instr(receipts.items, ':' || value || '"')) AS times
  FROM json_each(:ids)
)
SELECT entry, times, at, kind, why, session, agent
FROM counted JOIN receipts
  ON receipts.id IN (SELECT id FROM receipts AS one WHERE instr(one.items, counted.name) ORDER BY id DESC LIMIT :most)
WHERE times > 0 ORDER BY receipts.id DESC;

-- name: contradictions_of
-- Pairs that cannot both hold of which one is among some entries, with what a person said to it.
SELECT one, other, reason, answer FROM reviews
WHERE one IN (SELECT value FROM json_each(:ids)) OR other IN (SELECT value FROM json_each(:ids))
ORDER BY id;
