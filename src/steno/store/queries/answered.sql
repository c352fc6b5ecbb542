-- What people answered about, set aside while everything is learnt anew.

-- name: keep_answered
-- Set aside what people answered about before it is dropped. In the middle of a rebuild no record was applied to it yet.
INSERT INTO answered_entries (id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain,
                              subject, created_at, superseded_by, repeated, repeated_at, cue, work, record)
SELECT id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain,
       subject, created_at, superseded_by, repeated, repeated_at, cue, work,
       iif(EXISTS (SELECT 1 FROM meta WHERE name = 'rebuilding'), 0, answered.last)
FROM entries JOIN (SELECT entry, max(record) AS last FROM v_answered GROUP BY entry) AS answered ON answered.entry = entries.id
WHERE session_id IS NOT NULL AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
ON CONFLICT (id) DO NOTHING;

-- name: keep_answered_evidence
-- With the words it rests on.
INSERT INTO answered_evidence (entry, place, turn_id, quote)
SELECT entry, place, turn_id, quote FROM evidence WHERE entry IN (SELECT id FROM answered_entries)
ON CONFLICT (entry, place) DO NOTHING;

-- name: answered
-- What people answered about, for an export.
SELECT source, session, entries.id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       created_at, superseded_by, repeated, repeated_at, cue, work,
       (SELECT json_group_array(json_array(hex(key), quote)) FROM
         (SELECT key, quote FROM evidence JOIN turns ON turns.id = turn_id WHERE entry = entries.id ORDER BY place))
FROM entries JOIN sessions ON sessions.id = session_id
WHERE entries.id IN (SELECT entry FROM v_answered) ORDER BY number;

-- name: take_answered
-- Such an entry from an export, unless it is there: it waits for the end of a rebuild.
INSERT INTO answered_entries (id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain,
                              subject, created_at, superseded_by, repeated, repeated_at, cue, work, record)
SELECT :id, id, :category, :status, :certainty, :confidence, :summary, :detail, :origin, :tags, :domain, :subject,
       :created_at, :superseded_by, :repeated, :repeated_at, :cue, :work, coalesce((SELECT max(id) FROM records), 0)
FROM sessions
WHERE source = :source AND session = :session AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.id = :id)
ON CONFLICT (id) DO NOTHING RETURNING id;

-- name: take_answered_evidence
-- The words it rests on.
INSERT INTO answered_evidence (entry, place, turn_id, quote)
SELECT ?1, ?2, id, ?4 FROM turns WHERE key = ?3;

-- name: drop_answered
-- The scribe made them again, or they are forgotten.
DELETE FROM answered_entries WHERE id IN (SELECT value FROM json_each(:ids));

-- name: put_answered
-- What people answered about is there again, as long as it was said; where it is, it is as it was after their last answer.
INSERT INTO entries (id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
                     project, agent, created_at, superseded_by, repeated, repeated_at, cue, work)
SELECT kept.id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       project, sessions.agent, created_at, superseded_by, repeated, repeated_at, cue, work
FROM answered_entries AS kept JOIN sessions ON sessions.id = session_id
JOIN (SELECT entry, max(record) AS last FROM v_answered GROUP BY entry) AS answered ON answered.entry = kept.id
WHERE EXISTS (SELECT 1 FROM answered_evidence AS one JOIN turns ON turns.id = turn_id
              WHERE one.entry = kept.id AND place = 0 AND instr(text, quote))
  AND (record >= last OR NOT EXISTS (SELECT 1 FROM entries WHERE entries.id = kept.id))
ON CONFLICT (id) DO UPDATE
SET category = excluded.category, status = excluded.status, certainty = excluded.certainty, summary = excluded.summary,
    detail = excluded.detail, origin = excluded.origin, superseded_by = excluded.superseded_by,
    repeated = excluded.repeated, repeated_at = excluded.repeated_at
RETURNING id;

-- name: put_answered_evidence
-- The words it rests on.
INSERT INTO evidence (entry, place, turn_id, quote)
SELECT entry, place, turn_id, quote FROM answered_evidence JOIN turns ON turns.id = turn_id
WHERE instr(text, quote) AND entry IN (SELECT id FROM entries)
ON CONFLICT (entry, place) DO NOTHING;

-- name: clear_answered
-- All of it is back.
DELETE FROM answered_entries;

-- name: answered_words
-- Words of entries that were set aside.
SELECT id, summary, detail, tags, domain, subject, cue FROM answered_entries;

-- name: rewrite_answered
-- The same for them.
UPDATE answered_entries SET summary = :summary, detail = :detail, tags = :tags, domain = :domain, subject = :subject, cue = :cue
WHERE id = :id;

-- name: answered_quotes
-- The words they rest on.
SELECT entry || ' ' || place, quote FROM answered_evidence;

-- name: rewrite_answered_quote
-- The same for them.
UPDATE answered_evidence SET quote = :quote WHERE entry || ' ' || place = :id;
