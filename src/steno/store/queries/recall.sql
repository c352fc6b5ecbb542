-- What recall asks: words, vectors, uses, links.

-- name: turns_to_index
-- Turns after a number, for the index of words. Reasoning is left out: it was never said.
SELECT id, session_id, EXISTS (SELECT 1 FROM v_said WHERE v_said.id = turns.id) AS said, text, at
FROM turns WHERE id > :after AND kind <> 'thinking' ORDER BY id LIMIT :most;

-- name: said_until
-- The last turns of a session, up to a number, in which somebody spoke; the latest first.
SELECT id, text, at FROM v_said WHERE session_id = :session_id AND id <= :mark ORDER BY id DESC LIMIT :most;

-- name: count_said_until
-- How many such turns there are.
SELECT count(*) FROM v_said WHERE session_id = :session_id AND id <= :mark;

-- name: last_turn
-- The number of the newest turn.
SELECT coalesce(max(id), 0) FROM turns;

-- name: state_of_store
-- How far the store has got: erasures, newest turn, model of the vectors, newest vectors of a turn and of an entry.
SELECT coalesce((SELECT value FROM meta WHERE name = 'erasures'), 0), coalesce((SELECT max(id) FROM turns), 0),
       (SELECT value FROM meta WHERE name = 'vectors_model'), coalesce((SELECT max(id) FROM vectors), 0),
       coalesce((SELECT max(id) FROM entry_vectors), 0);

-- name: turn_range
-- The lowest and the highest number of a turn.
SELECT coalesce((SELECT min(id) FROM turns), 0), coalesce((SELECT max(id) FROM turns), 0);

-- name: erasures
-- Goes up whenever words leave the journal: what was derived from it before is stale.
SELECT coalesce((SELECT value FROM meta WHERE name = 'erasures'), 0);

-- name: count_erasure
-- Words left the journal.
INSERT INTO meta (name, value) VALUES ('erasures', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;

-- name: sessions_in_scope
-- Sessions of a project, of an agent, or of both.
SELECT id FROM sessions WHERE (:project IS NULL OR project = :project) AND (:agent IS NULL OR agent = :agent);

-- name: find_words
-- Turns after a number that hold some of the words, with their rank, the best first.
SELECT turns.id, bm25(turns_text) AS rank
FROM turns_text JOIN turns ON turns.id = turns_text.rowid JOIN sessions ON sessions.id = turns.session_id
WHERE turns_text MATCH :words AND turns_text.rowid > :after AND turns.kind <> 'thinking'
  AND (:project IS NULL OR sessions.project = :project) AND (:agent IS NULL OR sessions.agent = :agent)
  AND (:until IS NULL OR turns.at < :until)
ORDER BY rank LIMIT :most;

-- name: newest_with_words
-- The newest turns that hold some of the words. Of what stands in very many, those that were captured last are looked at.
SELECT turns.id
FROM (SELECT rowid FROM turns_text WHERE turns_text MATCH :words ORDER BY rowid DESC LIMIT 20000) AS found
JOIN turns ON turns.id = found.rowid JOIN sessions ON sessions.id = turns.session_id
WHERE turns.kind <> 'thinking'
  AND (:project IS NULL OR sessions.project = :project) AND (:agent IS NULL OR sessions.agent = :agent)
  AND (:until IS NULL OR turns.at < :until)
ORDER BY turns.at DESC, turns.id DESC LIMIT :most;

-- name: find_entries
-- Entries that hold some of the words, with their rank, the best first. Only those have to be looked up.
SELECT entries.id, found.rank
FROM (SELECT rowid AS number, bm25(entries_text) AS rank FROM entries_text
      WHERE entries_text MATCH :words ORDER BY rank LIMIT :most) AS found
JOIN entries ON entries.number = found.number
ORDER BY found.rank;

-- name: said_in
-- What was said in a stretch of time: people first, then by how much it would be missed, then the latest.
SELECT turns.id, turns.session_id, turns.at, coalesce((SELECT max(worth) FROM exchanges WHERE exchanges.turn_id = turns.id), 0) AS worth
FROM v_said JOIN turns ON turns.id = v_said.id JOIN sessions ON sessions.id = turns.session_id
WHERE turns.at >= :since AND turns.at < :before
  AND (:project IS NULL OR sessions.project = :project) AND (:agent IS NULL OR sessions.agent = :agent)
  AND (:until IS NULL OR turns.at < :until)
ORDER BY sessions.source NOT IN ('import', 'notes', 'git') AND turns.kind IN (SELECT value FROM json_each(:human)) AND turns.role = 'user' DESC,
         worth DESC, turns.id DESC
LIMIT :most;

-- name: entries_made_in
-- What was learnt in a stretch of time, whatever became of it.
SELECT id FROM entries
WHERE created_at >= :since AND created_at < :before AND status <> 'forgotten'
  AND ((:project IS NULL AND coalesce(:agent, entries.agent, '') = coalesce(entries.agent, ''))
       OR EXISTS (SELECT 1 FROM v_audience AS audience
                  WHERE audience.entry = entries.id AND audience.project IN ('', :project) AND audience.agent IN ('', :agent)))
  AND (:until IS NULL OR created_at < :until)
ORDER BY created_at, number LIMIT :most;

-- name: traits_of_turns
-- What weighs a turn up or down, and what proves it is in scope. Of a memory file only what stands in it now counts.
SELECT turns.id, turns.session_id,
       CASE WHEN sessions.source IN ('import', 'notes', 'git') THEN 'file' ELSE turns.role END AS role, turns.kind, turns.at,
       length(turns.text), substr(turns.text, 1, 1000), sessions.directory IS NOT NULL
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.id IN (SELECT value FROM json_each(:ids)) AND turns.kind <> 'thinking'
  AND (:project IS NULL OR sessions.project = :project) AND (:agent IS NULL OR sessions.agent = :agent)
  AND (:until IS NULL OR turns.at < :until)
  AND (sessions.source <> 'notes' OR turns.transcript_id IS NULL OR lower(hex(turns.key)) IN (
    SELECT stands.value FROM transcripts, json_each(transcripts.state, '$.stands') AS stands
    WHERE transcripts.id = turns.transcript_id));

-- name: turns_by_number
-- Some turns.
SELECT turns.id, sessions.source, sessions.session, turns.role, turns.kind, turns.text, turns.at, turns.line,
       turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.id IN (SELECT value FROM json_each(:ids));

-- name: entries_resting_on
-- Entries whose evidence stands in some turns: entry, turn, place of the quote, category, status, origin, successor.
SELECT evidence.entry, evidence.turn_id, evidence.place, entries.category, entries.status, entries.origin,
       entries.superseded_by
FROM evidence JOIN entries ON entries.id = evidence.entry
WHERE evidence.turn_id IN (SELECT value FROM json_each(:ids));

-- name: turns_that_rule
-- The turns in which people said what holds for all work in scope, the newest first.
SELECT evidence.turn_id FROM entries INDEXED BY entries_that_rule
JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE entries.category IN ('rule', 'rejected') AND entries.status = 'active' AND entries.origin = 'user'
  AND (:project IS NULL OR entries.project = :project) AND (:agent IS NULL OR entries.agent = :agent)
  AND (:until IS NULL OR entries.created_at < :until)
ORDER BY entries.number DESC LIMIT :most;

-- name: traits_of_entries
-- What weighs an entry up or down, and what proves it is in scope.
SELECT id, session_id, category, status, origin, created_at, repeated, superseded_by, confidence,
       CASE WHEN session_id IS NOT NULL AND category NOT IN ('rule', 'rejected')
                 AND NOT EXISTS (SELECT 1 FROM curated WHERE curated.entry = entries.id)
       THEN max(coalesce(created_at, ''), coalesce(repeated_at, ''), coalesce(accesses.used_at, '')) END AS fades_from,
       coalesce(accesses.recalled, 0) AS recalled
FROM entries LEFT JOIN accesses ON accesses.entry = entries.id
WHERE id IN (SELECT value FROM json_each(:ids))
  AND ((:project IS NULL AND coalesce(:agent, entries.agent, '') = coalesce(entries.agent, ''))
       OR id IN (SELECT audience.entry FROM v_audience AS audience
                 WHERE audience.entry IN (SELECT value FROM json_each(:ids))
                   AND audience.project IN ('', :project) AND audience.agent IN ('', :agent)))
  AND (:until IS NULL OR created_at < :until);

-- name: said_after
-- What was said in the sessions of some turns after each of them, as far as it is in scope: turn, number, role, beginning.
SELECT start.id, turns.id, turns.role, substr(turns.text, 1, 1000)
FROM json_each(:ids) AS wanted JOIN turns AS start ON start.id = wanted.value
JOIN turns ON turns.id IN (
  SELECT id FROM v_said
  WHERE session_id = start.session_id AND id > start.id AND (:until IS NULL OR at < :until) ORDER BY id LIMIT :most)
ORDER BY wanted.key, turns.id;

-- name: said_beside
-- What was said just before and just after some turns, as far as it is in scope: turn, number, role, beginning.
SELECT middle.id, turns.id, turns.role, substr(turns.text, 1, 1000)
FROM json_each(:ids) AS wanted JOIN turns AS middle ON middle.id = wanted.value
JOIN turns ON turns.id IN (
  (SELECT id FROM v_said
   WHERE session_id = middle.session_id AND id < middle.id AND (:until IS NULL OR at < :until) ORDER BY id DESC LIMIT 1),
  (SELECT id FROM v_said
   WHERE session_id = middle.session_id AND id > middle.id AND (:until IS NULL OR at < :until) ORDER BY id LIMIT 1))
ORDER BY turns.id;

-- name: put_use
-- Something was recalled.
INSERT INTO uses (at, session, kind, target, place, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: strengthen_link
-- Two entries were recalled together.
INSERT INTO links (one, other, kind, weight, at) VALUES (?1, ?2, 'recalled together', 1, ?3)
ON CONFLICT (one, other, kind) DO UPDATE SET weight = weight + 1, at = excluded.at;

-- name: links_of
-- Links between some entries: which were recalled together, and how much that tells still. The plus keeps the store
-- from looking for every pair.
SELECT one, other, weight FROM links
WHERE one IN (SELECT value FROM json_each(:ids)) AND +other IN (SELECT value FROM json_each(:ids))
  AND +kind = 'recalled together';

-- name: turns_to_embed_up
-- Turns after a number whose vectors are missing, in order, each with the beginning of what was said before it.
SELECT id, text,
       (SELECT substr(before.text, 1, 400) FROM v_said AS before
        WHERE before.session_id = v_said.session_id AND before.id < v_said.id ORDER BY before.id DESC LIMIT 1)
FROM v_said
WHERE id > :mark AND NOT EXISTS (SELECT 1 FROM vectors WHERE turn_id = v_said.id AND sketch = 0)
ORDER BY id LIMIT :most;

-- name: turns_to_embed_down
-- The same before a number, the latest first.
SELECT id, text,
       (SELECT substr(before.text, 1, 400) FROM v_said AS before
        WHERE before.session_id = v_said.session_id AND before.id < v_said.id ORDER BY before.id DESC LIMIT 1)
FROM v_said
WHERE id < :mark AND NOT EXISTS (SELECT 1 FROM vectors WHERE turn_id = v_said.id AND sketch = 0)
ORDER BY id DESC LIMIT :most;

-- name: turns_to_sketch
-- Turns before a number that have neither vectors nor a sketch, the latest first; of all of them, or one in so many.
SELECT id, text,
       (SELECT substr(before.text, 1, 400) FROM v_said AS before
        WHERE before.session_id = v_said.session_id AND before.id < v_said.id ORDER BY before.id DESC LIMIT 1)
FROM v_said
WHERE id < :mark AND id % :one_in = 0 AND NOT EXISTS (SELECT 1 FROM vectors WHERE turn_id = v_said.id)
ORDER BY id DESC LIMIT :most;

-- name: put_sketches
-- What stands in for a turn's vectors; not if it has any, or was forgotten meanwhile.
INSERT INTO vectors (turn_id, pieces, sketch) SELECT ?1, ?2, 1 WHERE EXISTS (SELECT 1 FROM turns WHERE id = ?1)
ON CONFLICT (turn_id) DO NOTHING;

-- name: drop_sketches
-- The sketch of a turn leaves its place.
DELETE FROM vectors WHERE turn_id = ?1 AND sketch = 1;

-- name: count_sketched
-- How many turns have a sketch.
SELECT count(*) FROM vectors WHERE sketch = 1;

-- name: count_to_sketch
-- How many turns have neither vectors nor a sketch.
SELECT count(*) FROM v_said WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE turn_id = v_said.id);

-- name: put_vectors
-- A turn's vectors; not if it was forgotten meanwhile.
INSERT INTO vectors (turn_id, pieces) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM turns WHERE id = ?1)
ON CONFLICT (turn_id) DO NOTHING;

-- name: vectors_after
-- Vectors in the order they were made.
SELECT vectors.id, vectors.turn_id, turns.session_id, turns.at, vectors.pieces
FROM vectors JOIN turns ON turns.id = vectors.turn_id
WHERE vectors.id > :after ORDER BY vectors.id LIMIT :most;

-- name: count_vectors
-- How many turns have vectors.
SELECT (SELECT count(*) FROM vectors) - (SELECT count(*) FROM vectors WHERE sketch = 1);

-- name: count_between
-- How many turns lie outside the stretch that has its vectors.
SELECT (SELECT count(*) FROM turns WHERE id < :low) + (SELECT count(*) FROM turns WHERE id > :high);

-- name: count_to_embed
-- How many turns and entries have no vectors.
SELECT (SELECT count(*) FROM v_said WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE turn_id = v_said.id))
     + (SELECT count(*) FROM vectors WHERE sketch = 1)
     + (SELECT count(*) FROM entries WHERE NOT EXISTS (SELECT 1 FROM entry_vectors WHERE entry = entries.id));

-- name: clear_vectors
-- Derived: made again.
DELETE FROM vectors;

-- name: clear_entry_vectors
-- Derived: made again.
DELETE FROM entry_vectors;

-- name: entries_to_embed
-- Entries whose vectors are missing, the newest first.
SELECT id, summary FROM entries
WHERE NOT EXISTS (SELECT 1 FROM entry_vectors WHERE entry = entries.id) ORDER BY number DESC LIMIT :most;

-- name: put_entry_vectors
-- An entry's vectors; not if it is gone.
INSERT INTO entry_vectors (entry, pieces) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM entries WHERE id = ?1)
ON CONFLICT (entry) DO NOTHING;

-- name: entry_vectors
-- All of them.
SELECT entry, pieces FROM entry_vectors ORDER BY id;

-- name: entry_vectors_of
-- Those of some entries.
SELECT entry, pieces FROM entry_vectors WHERE entry IN (SELECT value FROM json_each(:ids));
