-- What is looked at again and again, and what was found.

-- name: bridges
-- All of them, by the consumer's folder.
SELECT value FROM bridges ORDER BY input;

-- name: put_bridge
-- A person says whose output is whose input; told again, the last word holds.
INSERT INTO bridges (input, value) VALUES (:input, :value) ON CONFLICT (input) DO UPDATE SET value = excluded.value;

-- name: drop_bridge
-- It is one no more.
DELETE FROM bridges WHERE input = :input;

-- name: watched
-- Everything that is watched, by path.
SELECT path, since, looked_at, changed_at, files FROM watched ORDER BY path;

-- name: put_watched
-- A person wants to know when it changes; told again, it goes on.
INSERT INTO watched (path, since, looked_at, files) VALUES (:path, :at, :at, :files) ON CONFLICT (path) DO NOTHING;

-- name: keep_watched
-- What stands there now, and whether that is something else than before.
UPDATE watched SET looked_at = :at, changed_at = iif(:changed, :at, changed_at), files = :files WHERE path = :path;

-- name: drop_watched
-- Nobody wants to know any more.
DELETE FROM watched WHERE path = :path;

-- name: findings
-- What a job found last.
SELECT what, ok, since, flag, mend FROM findings WHERE job = :job;

-- name: finding_mends
-- The command for each flag that was raised for a finding, where one is known.
SELECT flag, mend FROM findings WHERE flag IS NOT NULL AND mend <> '';

-- name: put_finding
-- What it finds now.
INSERT INTO findings (job, what, ok, since, flag, mend) VALUES (:job, :what, :ok, :since, :flag, :mend)
ON CONFLICT (job, what) DO UPDATE SET ok = excluded.ok, since = excluded.since, flag = excluded.flag,
                                      mend = excluded.mend;

-- name: drop_finding
-- It is not looked at any more.
DELETE FROM findings WHERE job = :job AND what = :what;

-- name: erase_bridges_with
-- Bridges that hold the text.
DELETE FROM bridges WHERE instr(input, :text) OR instr(value, :text) OR instr(value, :escaped) OR instr(value, :ascii);

-- name: erase_watched_with
-- What is watched, where its names hold the text.
DELETE FROM watched WHERE instr(path, :text) OR instr(files, :text) OR instr(files, :escaped) OR instr(files, :ascii);

-- name: erase_findings_with
-- What was found, where its words hold the text.
DELETE FROM findings WHERE instr(concat_ws(' ', what, mend), :text);

-- name: erase_fitness_with
-- How fit an agent was whose name holds the text.
DELETE FROM fitness WHERE instr(agent, :text);

-- name: bridge_words
-- Names and paths of bridges.
SELECT input, input, value FROM bridges;

-- name: rewrite_bridge
-- New patterns found a secret in them.
UPDATE OR REPLACE bridges SET input = :input, value = :value WHERE input = :id;

-- name: watched_words
-- Names of what is watched.
SELECT path, path, files FROM watched;

-- name: rewrite_watched
-- New patterns found a secret in them.
UPDATE OR REPLACE watched SET path = :path, files = :files WHERE path = :id;

-- name: finding_words
-- What findings are called, and their commands.
SELECT what, what, mend FROM findings;

-- name: rewrite_finding
-- New patterns found a secret in them.
UPDATE OR REPLACE findings SET what = :what, mend = :mend WHERE what = :id;

-- name: fitness_names
-- Names of agents that were measured.
SELECT DISTINCT agent, agent FROM fitness;

-- name: rewrite_fitness
-- New patterns found a secret in one.
UPDATE OR REPLACE fitness SET agent = :agent WHERE agent = :id;
