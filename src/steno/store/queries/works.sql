-- Pieces of work, the sessions at them, and what ends with them.

-- name: put_work
-- A piece of work as it stands. One that ended goes on if somebody goes on with it, unless a person said that it is over;
-- `over`: its list of to-dos is finished, and nobody asked for more.
INSERT INTO works (id, session_id, project, agent, begun_turn, last_turn, goal, phase, status, claimed, begun_at, last_at)
SELECT :id, session_id, sessions.project, sessions.agent, :begun, :turn, :goal, '', 'active', :claimed, turns.at,
       coalesce((SELECT at FROM turns WHERE id = :turn), turns.at)
FROM turns JOIN sessions ON sessions.id = turns.session_id WHERE turns.id = :begun
ON CONFLICT (id) DO UPDATE
SET last_turn = max(last_turn, excluded.last_turn), last_at = max(coalesce(last_at, ''), coalesce(excluded.last_at, '')),
    goal = excluded.goal, claimed = excluded.claimed,
    (status, ended_at) = (
      SELECT iif(told, works.status, 'active'), iif(told, works.ended_at, NULL)
      FROM (SELECT :over OR EXISTS (SELECT 1 FROM records WHERE act = 'work' AND entry = works.id) AS told));

-- name: put_work_session
-- Somebody was at it in a session.
INSERT INTO work_sessions (work, session_id) VALUES (:id, :session_id) ON CONFLICT (work, session_id) DO NOTHING;

-- name: leave_work
-- A session turned away from it: where it stood then.
UPDATE works SET value = :value, status = :status, ended_at = iif(:status = 'active', NULL, :ended_at) WHERE id = :id;

-- name: end_work
-- A person says that it is over.
UPDATE works SET status = :status, ended_at = :at WHERE id = :id AND status = 'active';

-- name: ended_by_people
-- What people told us about pieces of work, in order.
SELECT at, entry, value FROM records WHERE act = 'work' ORDER BY id;

-- name: close_noes
-- Noes and instructions that held for a piece of work, which has ended.
UPDATE entries SET status = 'archived'
WHERE work = :work AND category IN ('rule', 'rejected') AND status = 'active'
  AND coalesce(detail ->> '$.stance.reach', 'work') = 'work';

-- name: turn_before
-- When somebody spoke last in a project before a time.
SELECT turns.at FROM turns JOIN sessions ON sessions.id = turns.session_id
WHERE turns.at < :at AND sessions.project IS :project
ORDER BY turns.at DESC LIMIT 1;

-- name: quiet_projects
-- Projects nobody spoke in since a time, where noes and instructions still hold for a piece of work.
SELECT DISTINCT project FROM entries
WHERE category IN ('rule', 'rejected') AND status = 'active' AND session_id IS NOT NULL AND created_at IS NOT NULL
  AND coalesce(detail ->> '$.stance.reach', 'work') = 'work'
  AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.project IS entries.project AND sessions.last_at > :since);

-- name: close_quiet
-- Noes and instructions that held for a piece of work, said up to a time after which a project was quiet.
UPDATE entries SET status = 'archived'
WHERE category IN ('rule', 'rejected') AND status = 'active' AND session_id IS NOT NULL AND project IS :project
  AND coalesce(repeated_at, created_at) <= :last AND coalesce(detail ->> '$.stance.reach', 'work') = 'work'
  -- What a person brought back stays.
  AND origin <> 'edit' AND NOT EXISTS (SELECT 1 FROM records WHERE records.entry = entries.id AND act = 'revise');

-- name: close_tasks
-- Its tasks and promises end with it.
UPDATE entries SET status = :status WHERE work = :work AND category IN ('task', 'commitment') AND status = 'active';

-- name: open_work
-- Where the piece of work stands that was begun last in a project before a time and is not over.
SELECT coalesce(
  (SELECT value FROM checkpoints WHERE checkpoints.work = works.id ORDER BY turn_id DESC LIMIT 1), works.value)
FROM works
WHERE status = 'active' AND project = :project AND agent IS :agent AND begun_at < :at AND session_id <> :session_id
ORDER BY begun_at DESC, id LIMIT 1;

-- name: works
-- Pieces of work, those at hand first, then the latest first: of one project or all, the one with this id or all, those
-- somebody was at since a time or all.
SELECT works.id, works.status, works.goal, works.project, works.agent, sessions.session,
       (SELECT count(*) FROM work_sessions WHERE work = works.id), works.begun_at, works.last_at, works.ended_at,
       coalesce(
         (SELECT value FROM checkpoints WHERE checkpoints.work = works.id ORDER BY turn_id DESC LIMIT 1),
         works.value, '{}')
FROM works JOIN sessions ON sessions.id = works.session_id
WHERE (:project IS NULL OR works.project = :project)
  AND (:id IS NULL OR substr(works.id, 1, length(:id)) = :id)
  AND (:since IS NULL OR coalesce(works.ended_at, works.last_at) >= :since)
ORDER BY works.status <> 'active', works.last_at DESC, works.id;

-- name: earlier_session
-- The session that was at a piece of work before another one went on with it.
SELECT sessions.id FROM work_sessions AS mine
JOIN work_sessions AS theirs ON theirs.work = mine.work AND theirs.session_id <> mine.session_id
JOIN sessions ON sessions.id = theirs.session_id
WHERE mine.session_id = :session_id
  AND sessions.started_at < (SELECT started_at FROM sessions WHERE id = :session_id)
ORDER BY sessions.started_at DESC, sessions.id DESC LIMIT 1;

-- name: entries_of_work
-- Everything learnt in a piece of work, the oldest first.
SELECT id FROM entries WHERE work = :work ORDER BY number;

-- name: set_work
-- An entry made before pieces of work were told apart.
UPDATE entries SET work = :work WHERE id = :id AND work IS NOT :work;

-- name: silent_sessions
-- Sessions in which people said much and hardly a word was heard as theirs, the latest first.
SELECT sessions.source, sessions.session, checkpoints.turns,
       (SELECT count(DISTINCT turn_id) FROM exchanges WHERE exchanges.session_id = sessions.id) AS heard
FROM checkpoints JOIN sessions ON sessions.id = checkpoints.session_id
WHERE sessions.kind = 'main' AND checkpoints.turns >= :turns AND checkpoints.spoken >= :spoken
  AND (:since IS NULL OR sessions.last_at >= :since) AND 4 * heard < checkpoints.spoken
ORDER BY sessions.last_at DESC;

-- name: clear_works
-- Derived: found again by a rebuild.
DELETE FROM works;

-- name: erase_works
-- Those of sessions that are learnt anew.
DELETE FROM works WHERE session_id IN (SELECT value FROM json_each(:sessions))
  OR id IN (SELECT work FROM work_sessions WHERE session_id IN (SELECT value FROM json_each(:sessions)));

-- name: erase_works_with
-- Those that hold a text.
DELETE FROM works WHERE instr(goal, :text) OR instr(value, :text) OR instr(value, :escaped) OR instr(value, :ascii);

-- name: scrub_works
-- Where they belong, if that is forgotten.
UPDATE works SET project = iif(instr(project, :text), NULL, project), agent = iif(instr(agent, :text), NULL, agent)
WHERE instr(project, :text) OR instr(agent, :text);
