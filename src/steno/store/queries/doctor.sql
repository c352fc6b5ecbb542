-- Proofs.

-- name: integrity
-- SQLite's own check of every page and index.
PRAGMA integrity_check(20);

-- name: foreign_keys
-- Rows that point to nothing.
PRAGMA foreign_key_check;

-- name: check_full_text
-- Compares the full-text index with the journal, word by word; fails if they differ.
INSERT INTO turns_text (turns_text, rank) VALUES ('integrity-check', 1);

-- name: unvouched
-- Transcripts whose watermark vouches for turns that are neither in the journal nor forgotten, or for fewer than there are.
WITH kept AS (SELECT transcript_id, count(*) AS turns FROM turns GROUP BY transcript_id),
     gone AS (SELECT transcript_id, count(*) AS turns FROM tombstones GROUP BY transcript_id)
SELECT name, turns_stored, coalesce(kept.turns, 0) + coalesce(gone.turns, 0) AS found
FROM transcripts
LEFT JOIN kept ON kept.transcript_id = transcripts.id
LEFT JOIN gone ON gone.transcript_id = transcripts.id
WHERE turns_stored <> found;

-- name: check_entries_text
-- The same for the index over entries.
INSERT INTO entries_text (entries_text, rank) VALUES ('integrity-check', 1);

-- name: unfounded
-- Entries without evidence, or whose quote is not in its turn.
SELECT entries.id FROM entries
WHERE entries.session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM evidence WHERE entry = entries.id)
UNION
SELECT evidence.entry FROM evidence JOIN turns ON turns.id = evidence.turn_id WHERE NOT instr(turns.text, evidence.quote);

-- name: unvouched_acts
-- What no act of anybody we know stands behind: records, rules and refusals people are said to have told us, rules and
-- refusals that were ended, words of an agent that pass for a person's, and scripts that nobody allowed.
SELECT 'record ' || id || ' (' || act || ' ' || entry || ')' FROM records WHERE who IS NULL
UNION ALL
SELECT category || ' ' || id || ', told by nobody' FROM entries
WHERE session_id IS NULL AND category IN ('rule', 'rejected') AND origin IN ('user', 'edit')
  AND NOT EXISTS (SELECT 1 FROM records
                  WHERE records.entry = entries.id AND coalesce(json_extract(who, '$.by'), 'person') <> 'agent'
                  AND coalesce(json_extract(value, '$.origin'), 'edit') <> 'agent')
UNION ALL
SELECT category || ' ' || id || ', ended by nobody' FROM entries
WHERE category IN ('rule', 'rejected') AND origin IN ('user', 'edit') AND certainty <> 'hypothesis'
  AND status IN ('archived', 'forgotten') AND superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM records WHERE act IN ('archive', 'revise', 'review')
                  AND (records.entry = entries.id OR instr(records.value, entries.id)))
  AND NOT EXISTS (SELECT 1 FROM pruned WHERE pruned.entry = entries.id)
  AND coalesce(detail ->> '$.stance.reach', 'work') <> 'work'
UNION ALL
SELECT category || ' ' || entries.id || ', in the words of the ' || turns.role FROM entries
JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0 JOIN turns ON turns.id = evidence.turn_id
WHERE category IN ('rule', 'rejected') AND origin = 'user' AND certainty <> 'hypothesis' AND turns.role <> 'user'
UNION ALL
SELECT 'record ' || id || ' (' || act || ' ' || entry || ')' FROM records
WHERE json_extract(who, '$.by') = 'person' AND json_extract(who, '$.door') = 'cli' AND act <> 'remember'
  AND NOT EXISTS (SELECT 1 FROM acts WHERE state IN ('done', 'carried out') AND acts.at BETWEEN records.at
                  AND strftime('%Y-%m-%dT%H:%M:%fZ', records.at, '+1 hour'))
UNION ALL
SELECT 'the yes to ' || words FROM acts WHERE state IN ('allowed', 'carried out') AND answered_by IS NULL
UNION ALL
SELECT 'scripts count as a person, by nobody' FROM meta
WHERE name = 'scripts' AND NOT EXISTS (SELECT 1 FROM acts WHERE verb = 'store scripts' AND state = 'done');

-- name: doubtful_acts
-- Acts that count as a person's, during which a call of an agent was under way that may have done them; or that were
-- typed into a host, of which its transcript says nothing.
SELECT acts.verb || ' at ' || acts.at || ', while ' || sessions.session || ' ran: ' || substr(turns.text, 1, 200)
FROM acts
JOIN turns ON turns.kind = 'call' AND turns.at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', acts.at, '-1 hour') AND acts.at
  AND instr(turns.text, 'steno') AND (instr(turns.text, acts.verb) OR acts.verb = 'stop' AND instr(turns.text, 'down'))
JOIN sessions ON sessions.id = turns.session_id
WHERE acts.state = 'done' AND acts.who ->> '$.by' = 'person'
  AND acts.who ->> '$.evidence' IN ('a terminal', 'an allowed script')
  AND coalesce((SELECT min(result.at) FROM turns AS result WHERE result.session_id = turns.session_id
                AND result.call = turns.call AND result.kind <> 'call'), acts.at) >= acts.at
UNION ALL
SELECT acts.verb || ' at ' || acts.at || ', which ' || sessions.session || ' had written down: ' || substr(turns.text, 1, 200)
FROM acts
JOIN turns ON turns.kind = 'call' AND turns.at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', acts.at, '-1 hour') AND acts.at
  AND instr(turns.text, acts.words)
JOIN sessions ON sessions.id = turns.session_id
WHERE acts.state = 'done' AND acts.who ->> '$.by' = 'person' AND acts.ends <> ''
  AND acts.who ->> '$.evidence' IN ('a terminal', 'an allowed script')
  AND NOT EXISTS (SELECT 1 FROM turns AS result WHERE result.session_id = turns.session_id AND result.call = turns.call
                  AND result.kind <> 'call'
                  AND (instr(result.text, 'This waits for a person') OR coalesce(result.at, '') >= acts.at))
UNION ALL
SELECT acts.verb || ' at ' || acts.at || ', typed into ' || (acts.who ->> '$.agent') || ', which does not say so'
FROM acts
WHERE acts.state = 'done' AND acts.who ->> '$.evidence' = 'typed into the host'
  AND EXISTS (SELECT 1 FROM sessions WHERE sessions.session = acts.who ->> '$.session' AND sessions.last_at > acts.at)
  AND NOT EXISTS (
    SELECT 1 FROM turns JOIN sessions ON sessions.id = turns.session_id
    WHERE sessions.session = acts.who ->> '$.session' AND turns.role = 'user' AND turns.kind = 'command'
      AND turns.at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', acts.at, '-1 hour')
                       AND strftime('%Y-%m-%dT%H:%M:%fZ', acts.at, '+1 hour') AND instr(turns.text, 'steno'));
