-- How often entries are used, what they have to do with each other, and what upkeep has not looked at yet.

-- name: accesses_of
-- How often some entries were recalled, given and used, and when last.
SELECT entry, recalled, given, used, badly, tokens, last_at, used_at FROM accesses
WHERE entry IN (SELECT value FROM json_each(:ids));

-- name: links_seen_from
-- Every relation of an entry to others, the strongest of each kind first.
SELECT v_links.kind, v_links.other, entries.category, entries.summary, v_links.weight
FROM v_links LEFT JOIN entries ON entries.id = v_links.other
WHERE v_links.one = :id ORDER BY v_links.kind, v_links.weight DESC, v_links.other LIMIT :most;

-- name: fade_links
-- Links that did not gain since a time lose a share of their weight.
UPDATE links SET weight = weight * :left WHERE kind = 'recalled together' AND at < :since;

-- name: drop_faded
-- Those of which nothing is left.
DELETE FROM links WHERE kind = 'recalled together' AND weight < :least RETURNING one;

-- name: count_fading
-- How many did not gain since a time.
SELECT count(*) FROM links WHERE kind = 'recalled together' AND at < :since;

-- name: put_subject_link
-- Two entries are about the same.
INSERT INTO links (one, other, kind, weight, at) VALUES (?1, ?2, 'same subject', ?3, ?4)
ON CONFLICT (one, other, kind) DO UPDATE SET weight = excluded.weight, at = excluded.at;

-- name: drop_subject_links
-- Of an entry that says something else now, or holds no more.
DELETE FROM links WHERE kind = 'same subject' AND (one = :id OR other = :id);

-- name: entries_due
-- What a job has not looked at.
SELECT entry FROM entries_due WHERE job = :job ORDER BY entry LIMIT :most;

-- name: entries_looked_at
-- It has now.
DELETE FROM entries_due WHERE job = :job AND entry IN (SELECT value FROM json_each(:ids));

-- name: latest_entries
-- The latest that hold: id, project and words.
SELECT id, project, summary FROM entries
WHERE number > (SELECT max(number) FROM entries) - :most AND status IN ('active', 'done');

-- name: scrub_accesses_with
-- A receipt may name what is no id.
DELETE FROM accesses WHERE instr(entry, :text);

-- name: receipts_to_trace
-- What was given before a time, after a number: number, time, session, its last turn then, and the entries in it.
SELECT id, at, session, turn, (
  SELECT json_group_array(DISTINCT substr(item.value, instr(item.value, ':') + 1)) FROM json_each(receipts.items) AS item
  WHERE substr(item.value, 1, instr(item.value, ':')) IN ('entry:', 'rule:', 'reason:', 'reminder:'))
FROM receipts WHERE id > :after AND at < :until AND items <> '[]' ORDER BY id LIMIT :most;

-- name: recalls_to_trace
-- The same for what sessions asked for; what was recalled at once belongs together.
SELECT max(id), at, session, NULL, json_group_array(target) FROM (
  SELECT id, at, session, target FROM uses
  WHERE id > :after AND at < :until AND kind = 'entry' AND session IS NOT NULL ORDER BY id LIMIT :most)
GROUP BY at, session ORDER BY max(id);

-- name: recalls_of
-- The last recalls that found something, the latest first.
SELECT at, session, place, reason FROM uses WHERE kind = :kind AND target = :target ORDER BY id DESC LIMIT :most;

-- name: turns_following
-- What was said and done in a session after a turn; where nobody noted that, after a time.
SELECT turns.id, sessions.source, sessions.session, turns.role, turns.kind, turns.text, turns.at, turns.line,
       turns.native_id, turns.tool, turns.call, turns.failed, turns.exit_status, turns.context_tokens
FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.session_id = (SELECT id FROM sessions WHERE session = :session ORDER BY last_at DESC LIMIT 1)
  AND iif(:turn IS NULL, turns.at >= :at, turns.id > :turn) AND turns.kind <> 'thinking'
ORDER BY turns.id LIMIT :most;

-- name: put_used
-- It turned up in what an agent did.
INSERT INTO accesses (entry, used, badly, used_at) VALUES (?1, 1, ?2, ?3)
ON CONFLICT (entry) DO UPDATE SET used = used + 1, badly = badly + excluded.badly,
                                  used_at = max(coalesce(used_at, ''), excluded.used_at);

-- name: unused_entries
-- What holds since before a time and nobody recalled, used or said again since. Rules and refusals work unseen.
SELECT entries.id FROM entries LEFT JOIN accesses ON accesses.entry = entries.id
WHERE entries.status = 'active' AND entries.category NOT IN ('rule', 'rejected') AND entries.created_at < :before
  AND coalesce(entries.repeated_at, '') < :before AND coalesce(accesses.used_at, '') < :before
ORDER BY entries.created_at, entries.number;

-- name: costly_entries
-- What cost most to tell and was never used, rules and refusals aside.
SELECT accesses.entry FROM accesses JOIN entries ON entries.id = accesses.entry
WHERE accesses.given > 2 AND accesses.used = 0 AND accesses.recalled = 0 AND entries.status = 'active'
  AND entries.category NOT IN ('rule', 'rejected')
ORDER BY accesses.tokens DESC, accesses.entry LIMIT :most;

-- name: notes_standing
-- What stands in memory files now, after a number.
SELECT turns.id, transcripts.name, sessions.project, turns.text, turns.at
FROM turns JOIN sessions ON sessions.id = turns.session_id JOIN transcripts ON transcripts.id = turns.transcript_id
WHERE turns.id > :after AND turns.kind = 'note' AND sessions.source = 'notes'
  AND lower(hex(turns.key)) IN (SELECT stands.value FROM json_each(transcripts.state, '$.stands') AS stands)
ORDER BY turns.id LIMIT 500;

-- name: count_observations
-- Lines of entries on all pages of observations.
SELECT coalesce(sum(lines), 0) FROM pages WHERE name = 'observations.md';
