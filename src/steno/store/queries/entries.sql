-- Entries, evidence, checkpoints, reviews and records.

-- name: unread_sessions
-- Sessions with turns the scribe has not read, the oldest first. Only turns after the one up to which it has read
-- everything are looked at: there are many sessions, and few are new. It never reads hearsay.
SELECT sessions.id, sessions.source, sessions.session, sessions.kind, sessions.project, sessions.agent,
       sessions.branch, sessions.directory, coalesce(checkpoints.turn_id, 0) AS mark
FROM sessions LEFT JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE (:session_id IS NULL OR sessions.id = :session_id) AND sessions.source NOT IN ('import', 'notes', 'git')
  AND (:session_id IS NOT NULL OR sessions.id IN (
    SELECT session_id FROM turns WHERE id > coalesce((SELECT value FROM meta WHERE name = 'read_up_to'), 0)))
  AND EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id AND turns.id > coalesce(checkpoints.turn_id, 0))
ORDER BY sessions.started_at, sessions.id;

-- name: journal_read
-- The journal's last turn, how often the scribe had to begin again with a session, and up to which turn it has read.
SELECT coalesce((SELECT max(id) FROM turns), 0), coalesce((SELECT value FROM meta WHERE name = 'begun_again'), 0),
       (SELECT value FROM meta WHERE name = 'read_up_to');

-- name: epoch
-- How much was ever erased: turns that went, and rebuilds.
SELECT (SELECT count(*) FROM tombstones) + coalesce((SELECT value FROM meta WHERE name = 'rebuilds'), 0);

-- name: count_rebuild
-- A rebuild began.
INSERT INTO meta (name, value) VALUES ('rebuilds', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;

-- name: get_checkpoint
-- Where a session's work stands.
SELECT turn_id, value FROM checkpoints WHERE session_id = :session_id;

-- name: put_checkpoint
-- In the same transaction as the entries found up to this turn. Nothing if another scribe was here meanwhile, or if
-- something was forgotten and the session is to be read again.
INSERT INTO checkpoints (session_id, turn_id, work, turns, spoken, value)
SELECT :session_id, :turn_id, :work, :turns, :spoken, :value
WHERE :mark = 0 OR EXISTS (SELECT 1 FROM checkpoints WHERE session_id = :session_id AND turn_id = :mark)
ON CONFLICT (session_id) DO UPDATE
SET turn_id = excluded.turn_id, work = excluded.work, value = excluded.value,
    turns = turns + excluded.turns, spoken = spoken + excluded.spoken
WHERE checkpoints.turn_id = :mark
RETURNING session_id;

-- name: said_before
-- The last turns before one in which somebody spoke, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id <= :mark AND role <> 'tool'
  AND turns.kind NOT IN ('thinking', 'call', 'summary', 'notice')
ORDER BY turns.id DESC LIMIT :most;

-- name: said_between
-- Turns in which somebody spoke between two others, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id > :after AND turns.id < :before AND role <> 'tool'
  AND turns.kind NOT IN ('thinking', 'call', 'summary', 'notice')
ORDER BY turns.id DESC LIMIT 200;

-- name: done_before
-- The last acts of tools before a turn, the latest first.
SELECT turns.id, sessions.source, sessions.session, role, turns.kind, text, at, line, native_id, tool, call, failed,
       exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE session_id = :session_id AND turns.id <= :mark AND (role = 'tool' OR turns.kind = 'call')
ORDER BY turns.id DESC LIMIT :most;

-- name: key_of_turn
-- What an entry's id is made from.
SELECT key FROM turns WHERE id = :id;

-- name: put_entry
-- A new entry; one with this id may be there already.
INSERT INTO entries (id, session_id, category, status, certainty, confidence, summary, detail, origin, tags, domain,
                     subject, project, agent, created_at, cue, work)
VALUES (:id, :session_id, :category, :status, :certainty, :confidence, :summary, :detail, :origin, :tags, :domain,
        :subject, :project, :agent, :created_at, :cue, :work)
ON CONFLICT (id) DO NOTHING
RETURNING id;

-- name: has_entry
-- Whether an entry is there.
SELECT 1 FROM entries WHERE id = :id;

-- name: put_evidence
-- The words it rests on.
INSERT INTO evidence (entry, place, turn_id, quote) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (entry, place) DO NOTHING;

-- name: repeat_entry
-- It was said again, or done again; a rule it carries counts from the last time. Of a refusal that is what came of it,
-- where nothing else is known.
UPDATE entries SET repeated = repeated + 1,
  detail = CASE WHEN category = 'rejected' AND detail ->> '$.exchange.afterwards' IS NULL
    THEN json_set(detail, '$.exchange.afterwards', 'said again') ELSE detail END,
                   repeated_at = nullif(max(coalesce(repeated_at, ''), coalesce(:at, ''), coalesce(created_at, '')), '')
WHERE id = :id RETURNING repeated;

-- name: update_state
-- An agent did much the same again: how it went now takes the place of how it went before.
UPDATE entries SET summary = :summary, detail = :detail, status = 'active' WHERE id = :id;

-- name: done_long_ago
-- What is done, and nobody spoke of since a time: when it was said, told about, or its piece of work was left.
SELECT id FROM entries
WHERE status = 'done'
  AND max(coalesce(created_at, ''), coalesce(repeated_at, ''),
          coalesce((SELECT coalesce(ended_at, last_at) FROM works WHERE works.id = entries.work), ''),
          coalesce((SELECT max(at) FROM records WHERE records.entry = entries.id), '')) < :before;

-- name: archive_done
-- It was done, which a task or a promise keeps when it is laid aside.
UPDATE entries SET status = 'archived',
  detail = iif(category IN ('task', 'commitment'), json_set(detail, '$.resolved', json('true')), detail)
WHERE id = :id;

-- name: supersede_entry
-- A newer one took its place; it stays in the history.
UPDATE entries SET status = 'superseded', superseded_by = :by WHERE id = :id AND status = 'active';

-- name: refused_calls
-- Refusals and instructions of a session that stand beside a call, with the turn they were said in.
SELECT entries.id, min(evidence.turn_id), detail ->> '$.exchange.call'
FROM entries JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE session_id = :session AND category IN ('rejected', 'rule') AND status = 'active' AND origin = 'user'
  AND detail ->> '$.exchange.call' IS NOT NULL
GROUP BY entries.id;

-- name: refused_at
-- Refusals that rest on a turn, and of which nothing is known to have come.
SELECT entries.id FROM entries JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE evidence.turn_id = :turn AND category = 'rejected' AND origin = 'user' AND detail ->> '$.exchange.afterwards' IS NULL;

-- name: set_afterwards
-- What came of a refused call. One that was run with leave was never refused, unless it was so in words that bind.
UPDATE entries SET
  detail = json_set(detail, '$.exchange.afterwards', :afterwards),
  status = CASE
    WHEN :afterwards = 'ran later' AND category = 'rejected' AND NOT coalesce(detail ->> '$.stance.binds', 0)
    THEN 'archived' ELSE status END
WHERE id = :id;

-- name: set_status
-- A person, or the work itself, changed where an entry stands.
UPDATE entries SET status = :status WHERE id = :id RETURNING id;

-- name: pending_entries
-- Tasks and promises of a project or a session that are open, or done in this session, the newest first.
SELECT entries.id, status, origin IN ('user', 'edit'), evidence.turn_id, evidence.quote, repeated_at
FROM entries JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE category IN ('task', 'commitment') AND (session_id = :session_id OR project = :project)
  AND (status = 'active' OR status = 'done' AND origin = 'user' AND session_id = :session_id)
ORDER BY number DESC LIMIT :most;

-- name: last_of_agent
-- What an agent said last of a category in a session, if it holds.
SELECT id FROM entries
WHERE session_id = :session_id AND category = :category AND origin = 'assistant' AND status = 'active'
ORDER BY number DESC LIMIT 1;

-- name: reopen_task
-- A person asks again for what was done.
UPDATE entries SET status = 'active' WHERE id = :id AND category = 'task' AND status = 'done';

-- name: revise_entry
-- A person's words replace the scribe's, and are sure; whoever only says where it stands leaves the words whose they are.
-- What was refused and wanted is in the new words, if there are any.
UPDATE entries SET summary = coalesce(:summary, summary), category = coalesce(:category, category),
                   status = coalesce(:status, iif(detail ->> '$.exchange.afterwards' = 'ran later', 'active', status)),
                   origin = iif(coalesce(:summary, :category, :detail) IS NULL, origin, 'edit'), certainty = 'confirmed',
                   superseded_by = CASE WHEN :status IN ('active', 'done') THEN NULL ELSE superseded_by END,
                   detail = json_patch(iif(:summary IS NULL, detail, json_patch(detail, '{"stance": {"wanted": null, "refused": null}, "exchange": {"afterwards": null}}')),
                                       json_patch(coalesce(:detail, '{}'),
                                                  iif(:reach IS NULL, '{}', json_object('stance', json_object('reach', :reach)))))
WHERE id = :id RETURNING id;

-- name: confirm_entry
-- A person says that they meant it, and how far it reaches.
UPDATE entries SET certainty = 'confirmed', status = 'active',
                   detail = json_patch(detail, json_object('stance', json_object('reach', :reach)))
WHERE id = :id RETURNING id;

-- name: confirm_settled
-- A person says that it holds.
UPDATE entries SET certainty = 'confirmed' WHERE id = :id;

-- name: count_entries
-- How many there are.
SELECT count(*) FROM entries;

-- name: entries_by_session
-- Entries of each session.
SELECT sessions.source, sessions.session, count(*)
FROM entries JOIN sessions ON sessions.id = entries.session_id GROUP BY entries.session_id;

-- name: like_entries
-- What something new is compared with: entries that share a key with it and hold where it does, the oldest first; and
-- whether they are of its own project or session. A key that is common finds the newest. What was told for one agent has
-- nothing to do with what was told for another.
SELECT entries.id, category, status, certainty, origin, created_at, summary, detail, evidence.quote,
       project IS :project OR session_id IS :session_id AND session_id IS NOT NULL
FROM entries LEFT JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE number IN (
    SELECT number FROM json_each(:keys) AS one JOIN entry_keys ON entry_keys.key = one.value
      WHERE number > coalesce((SELECT number FROM entry_keys WHERE entry_keys.key = one.value
        ORDER BY number DESC LIMIT 1 OFFSET :newest), 0))
  AND (project IS :project OR session_id = :session_id OR project IS NULL OR :project IS NULL)
  AND status IN ('active', 'done') AND category IN (SELECT value FROM json_each(:categories))
  AND NOT (origin = 'edit' AND EXISTS (SELECT 1 FROM entries AS new
    WHERE new.id = :id AND new.origin = 'edit' AND new.agent <> entries.agent))
ORDER BY number;

-- name: put_entry_key
-- By which an entry is found.
INSERT INTO entry_keys (key, number) SELECT ?1, number FROM entries WHERE id = ?2 ON CONFLICT (key, number) DO NOTHING;

-- name: drop_entry_keys
-- It says something else now.
DELETE FROM entry_keys WHERE number = (SELECT number FROM entries WHERE id = :id);

-- name: said_in_entries
-- What some entries are compared by.
SELECT entries.id, category, status, certainty, origin, created_at, summary, detail, evidence.quote
FROM entries LEFT JOIN evidence ON evidence.entry = entries.id AND evidence.place = 0
WHERE entries.id IN (SELECT value FROM json_each(:ids));

-- name: told_entries
-- What people told us to remember and still holds, in order.
SELECT id, project FROM entries WHERE session_id IS NULL AND origin = 'edit' AND status = 'active' ORDER BY created_at, number;

-- name: entry_ids
-- All of them.
SELECT id FROM entries;

-- name: count_of_session
-- How many of each category a session has.
SELECT category, count(*) FROM entries
WHERE session_id = :session_id AND status IN ('active', 'done', 'superseded') GROUP BY category;

-- name: entries
-- Entries, the oldest first; of a project, all of its own and what else is seen from there.
SELECT entries.id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       sessions.session, entries.project, entries.agent, created_at, superseded_by, repeated, repeated_at, cue
FROM entries LEFT JOIN sessions ON sessions.id = entries.session_id
WHERE (:category IS NULL OR category = :category) AND (:status IS NULL OR status = :status)
  AND (:session_id IS NULL OR session_id = :session_id)
  AND (:project IS NULL OR entries.project = :project
       OR EXISTS (SELECT 1 FROM v_audience AS audience
                  WHERE audience.entry = entries.id AND audience.project IN ('', :project) AND audience.agent = ''))
  AND (:domain IS NULL OR domain = :domain COLLATE NOCASE)
  AND (:id IS NULL OR substr(entries.id, 1, length(:id)) = :id)
ORDER BY created_at, number;

-- name: entries_by_id
-- Some entries.
SELECT entries.id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject,
       sessions.session, entries.project, entries.agent, created_at, superseded_by, repeated, repeated_at, cue
FROM entries LEFT JOIN sessions ON sessions.id = entries.session_id
WHERE entries.id IN (SELECT value FROM json_each(:ids))
ORDER BY created_at, number;

-- name: evidence_of
-- The words some entries rest on.
SELECT evidence.entry, sessions.session, evidence.turn_id, turns.line, turns.role, evidence.quote, turns.at
FROM evidence JOIN turns ON turns.id = evidence.turn_id JOIN sessions ON sessions.id = turns.session_id
WHERE evidence.entry IN (SELECT value FROM json_each(:ids)) ORDER BY evidence.entry, evidence.place;

-- name: put_record
-- What a person told us, and who that was.
INSERT INTO records (at, act, entry, value, who) VALUES (:at, :act, :entry, :value, :who);

-- name: has_record
-- Whether a record is known, or was forgotten.
SELECT 1 FROM records WHERE at = :at AND act = :act AND entry = :entry AND value = :value
UNION ALL SELECT 1 FROM tombstones WHERE key = :key LIMIT 1;

-- name: records
-- Everything people told us, in order.
SELECT at, act, entry, value FROM records ORDER BY id;

-- name: records_about
-- What people told us about some entries, in order; outcomes and answers to reviews name others in their words.
SELECT at, act, entry, value FROM records
WHERE entry IN (SELECT value FROM json_each(:ids))
   OR (act IN ('outcome', 'review') AND EXISTS (SELECT 1 FROM json_each(:ids) AS one WHERE instr(records.value, one.value)))
ORDER BY id;

-- name: is_unread
-- Whether the scribe has still to read something up to a turn.
SELECT 1 FROM sessions LEFT JOIN checkpoints ON checkpoints.session_id = sessions.id
WHERE sessions.source NOT IN ('import', 'notes', 'git')
  AND EXISTS (SELECT 1 FROM turns WHERE turns.session_id = sessions.id
              AND turns.id > coalesce(checkpoints.turn_id, 0) AND turns.id <= :turn)
LIMIT 1;

-- name: clear_entries
-- Derived: found again by a rebuild.
DELETE FROM entries;

-- name: clear_checkpoints
-- Derived: found again by a rebuild.
DELETE FROM checkpoints;

-- name: neighbours
-- Sessions that are learnt together with these: all of the same projects. Entries may supersede and repeat each other.
SELECT id FROM sessions
WHERE id IN (SELECT value FROM json_each(:sessions))
   OR project IN (SELECT project FROM sessions WHERE id IN (SELECT value FROM json_each(:sessions)));

-- name: entries_of_sessions
-- Everything learnt from some sessions.
SELECT id FROM entries WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- name: entries_on_turns
-- Entries that rest on some turns.
SELECT entry FROM evidence WHERE turn_id IN (SELECT value FROM json_each(:ids))
UNION SELECT entry FROM answered_evidence WHERE turn_id IN (SELECT value FROM json_each(:ids));

-- name: entries_with
-- Entries that hold a text anywhere.
SELECT id FROM entries
WHERE instr(summary, :text) OR instr(detail, :text) OR instr(detail, :escaped) OR instr(detail, :ascii)
   OR instr(subject, :text) OR instr(subject, :ascii)
   OR instr(tags, :text) OR instr(domain, :text) OR instr(cue, :text)
   -- Without its project or agent what a person recorded would hold for everybody.
   OR (session_id IS NULL AND (instr(project, :text) OR instr(agent, :text)))
   OR id IN (SELECT entry FROM evidence WHERE instr(quote, :text))
UNION SELECT id FROM answered_entries
WHERE instr(summary, :text) OR instr(detail, :text) OR instr(detail, :escaped) OR instr(detail, :ascii)
   OR instr(subject, :text) OR instr(subject, :ascii)
   OR instr(tags, :text) OR instr(domain, :text) OR instr(cue, :text);

-- name: erase_entries
-- Entries whose words are forgotten; their evidence and reviews go with them.
DELETE FROM entries WHERE id IN (SELECT value FROM json_each(:ids));

-- name: erase_checkpoints
-- Checkpoints of sessions something was taken out of: the scribe reads these sessions again.
DELETE FROM checkpoints WHERE session_id IN (SELECT value FROM json_each(:sessions));

-- name: erase_checkpoints_with
-- Checkpoints that hold a text.
DELETE FROM checkpoints WHERE instr(value, :text) OR instr(value, :escaped) OR instr(value, :ascii);

-- name: erase_records_with
-- Records that hold a text.
DELETE FROM records WHERE instr(value, :text) OR instr(value, :escaped) OR instr(value, :ascii)
RETURNING act, entry, value;

-- name: erase_records_of
-- Records about entries whose words are forgotten.
DELETE FROM records WHERE entry IN (SELECT value FROM json_each(:ids))
   OR (act = 'review' AND value ->> '$.other' IN (SELECT value FROM json_each(:ids))) RETURNING act, entry, value;

-- name: rewrite_record
-- New patterns found a secret in what a person told us.
UPDATE records SET value = :value WHERE id = :id;

-- name: all_records
-- Records with their numbers.
SELECT id, value FROM records ORDER BY id;

-- name: scrub_entry_facts
-- Projects and agents of entries that hold the text.
UPDATE entries SET
  project = CASE WHEN instr(project, :text) THEN NULL ELSE project END,
  agent = CASE WHEN instr(agent, :text) THEN NULL ELSE agent END
WHERE instr(project, :text) OR instr(agent, :text);
