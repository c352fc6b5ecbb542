-- What was found worth keeping for good.

-- name: curated_missing
-- Entries something was made from that is not there: all was learnt anew.
SELECT source FROM curated JOIN entries ON entries.id = curated.source
WHERE NOT EXISTS (SELECT 1 FROM entries AS made WHERE made.id = curated.entry);

-- name: curated_sources
-- Those of some entries something was made from already, or that were made so themselves.
SELECT source FROM curated WHERE source IN (SELECT value FROM json_each(:ids))
UNION SELECT entry FROM curated WHERE entry IN (SELECT value FROM json_each(:ids));

-- name: curated_pairs
-- What was made of which entry, where one of both is among these.
SELECT source, entry FROM curated WHERE source IN (SELECT value FROM json_each(:ids))
UNION SELECT source, entry FROM curated WHERE entry IN (SELECT value FROM json_each(:ids));

-- name: count_curated
-- How much a day brought.
SELECT count(*) FROM curated WHERE day = :day;

-- name: note_curated
-- What was made from what, and of which day it is.
INSERT INTO curated (source, entry, day) VALUES (:source, :entry, :day) ON CONFLICT (source) DO NOTHING;

-- name: put_curated
-- The entry that tells it as it stands: its words are as much whose they were, and it holds as long as its source does.
INSERT INTO entries (id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain,
                     subject, project, agent, created_at, superseded_by, cue)
SELECT :entry, session_id, 'fact', iif(status = 'superseded', status, 'active'), certainty, confidence, :summary, :detail,
       origin, tags, domain, subject, project, agent, created_at, superseded_by, 'curated from ' || id
FROM entries WHERE id = :source
ON CONFLICT (id) DO NOTHING RETURNING id;

-- name: put_curated_evidence
-- It rests on the same words.
INSERT INTO evidence (entry, place, turn_id, quote) SELECT :entry, place, turn_id, quote FROM evidence WHERE entry = :source
ON CONFLICT (entry, place) DO NOTHING;

-- name: known_facts
-- What is known as a fact, a lesson or a rule, the newest first.
SELECT summary FROM entries WHERE category IN ('fact', 'learning', 'rule') AND status IN ('active', 'done')
ORDER BY created_at DESC, number DESC LIMIT :most;

-- name: integrations
-- Integration notes since a time, the latest first.
SELECT id, at, project, members FROM integrations WHERE at >= :since ORDER BY at DESC, id LIMIT :most;

-- name: put_integration
-- A note, or what it cites now.
INSERT INTO integrations (id, at, project, members) VALUES (:id, :at, :project, :members)
ON CONFLICT (id) DO UPDATE SET at = excluded.at, members = excluded.members;

-- name: scrub_integrations_with
-- Where a note belongs, if that is forgotten.
UPDATE integrations SET project = NULL WHERE instr(project, :text);

-- name: entries_to_join
-- The newest entries since a time that hold and may be cited.
SELECT id FROM entries
WHERE created_at >= :since AND status IN ('active', 'done') AND certainty = 'confirmed'
  AND origin IN ('user', 'edit', 'assistant') AND category IN (SELECT value FROM json_each(:categories))
  AND NOT EXISTS (SELECT 1 FROM curated WHERE curated.entry = entries.id)
ORDER BY created_at DESC, number DESC LIMIT :most;
