-- Why: tasks and promises close by what was said after them, and entries are found by more keys than they were given.
-- Everything is learnt anew. Nothing is NULL for old rows.

INSERT INTO meta (name, value) SELECT 'outdated', 1 WHERE EXISTS (SELECT 1 FROM checkpoints) OR EXISTS (SELECT 1 FROM entries)
ON CONFLICT (name) DO UPDATE SET value = 1;
