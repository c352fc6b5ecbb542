-- Runs of upkeep.

-- name: begin_run
-- A job begins.
INSERT INTO runs (job, day, due, began, state) VALUES (:job, :day, :due, :began, 'running') RETURNING id;

-- name: end_run
-- It is over; what it laid aside can be brought back.
UPDATE runs SET ended = :ended, state = :state, changed = :changed, lines = :lines, flags = :flags, error = :error,
  undo = iif(id IN (SELECT run FROM pruned), 'possible', '')
WHERE id = :id;

-- name: drop_old_runs
-- Of a job that runs often, the oldest runs; those that laid something aside stay.
DELETE FROM runs
WHERE job = (SELECT job FROM runs WHERE id = :id)
  AND id <= (SELECT id FROM runs AS last WHERE last.job = runs.job ORDER BY id DESC LIMIT 1 OFFSET :kept)
  AND id NOT IN (SELECT run FROM pruned);

-- name: cut_off_runs
-- Whoever began these is gone; what they had laid aside already can be brought back.
UPDATE runs SET state = 'stopped', ended = :at, error = :error, undo = iif(id IN (SELECT run FROM pruned), 'possible', '')
WHERE state = 'running';

-- name: forget_future_runs
-- The clock was set back behind these: when their time comes they must not stand for it.
UPDATE runs SET day = '' WHERE began > :later AND day <> '';

-- name: untidy_runs
-- Whether somebody is at it or was cut off, or the clock was set back behind a run.
SELECT 1 WHERE EXISTS (SELECT 1 FROM runs WHERE state = 'running')
  OR EXISTS (SELECT 1 FROM runs WHERE began > :later AND day <> '');

-- name: runs
-- Runs, the latest first; of one job.
SELECT id, job, day, due, began, ended, state, changed, lines, flags, error, undo FROM runs
WHERE :job IS NULL OR job = :job ORDER BY id DESC LIMIT :most;

-- name: runs_of_day
-- Runs of the night that closed a day, the first one first.
SELECT id, job, day, due, began, ended, state, changed, lines, flags, error, undo FROM runs WHERE day = :day ORDER BY id;

-- name: run
-- One run.
SELECT id, job, day, due, began, ended, state, changed, lines, flags, error, undo FROM runs WHERE id = :id;

-- name: last_runs
-- The last run of every job that counts.
WITH RECURSIVE named (job) AS (
  SELECT min(job) FROM runs
  UNION ALL SELECT (SELECT min(job) FROM runs WHERE runs.job > named.job) FROM named WHERE named.job IS NOT NULL)
SELECT id, job, day, due, began, ended, state, changed, lines, flags, error, undo FROM runs
WHERE id IN (SELECT (SELECT id FROM runs WHERE runs.job = named.job AND day <> '' ORDER BY id DESC LIMIT 1) FROM named)
ORDER BY id;

-- name: last_good_run
-- The last time a job went well.
SELECT id, job, day, due, began, ended, state, changed, lines, flags, error, undo FROM runs
WHERE job = :job AND state = 'ok' AND day <> '' ORDER BY id DESC LIMIT 1;

-- name: last_good_at
-- When any job went well last.
SELECT ended FROM runs WHERE state = 'ok' AND day <> '' ORDER BY id DESC LIMIT 1;

-- name: set_undone
-- What a run laid aside was brought back.
UPDATE runs SET undo = 'done' WHERE id = :id;

-- name: clear_run_words
-- What was done stands there in words, which may be those that are forgotten; that it was done stays.
UPDATE runs SET lines = '[]', flags = '[]', error = CASE error WHEN '' THEN '' ELSE 'forgotten' END;
