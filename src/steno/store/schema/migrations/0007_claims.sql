-- Why: what an entry keeps is typed now, and entries are found by what they want and refuse. What an older scribe wrote has
-- neither: it is learnt anew from the journal as soon as the scribe can, and what people told us is applied again. Until
-- then it holds as it is, for good, and a preference stays one.

UPDATE entries SET detail = json_object('stance', json_object('reach', 'standing'),
                                        'preference', json(iif(cue = 'a preference', 'true', 'false')))
WHERE category IN ('rule', 'rejected');
INSERT INTO meta (name, value) SELECT 'outdated', 1 WHERE EXISTS (SELECT 1 FROM checkpoints) OR EXISTS (SELECT 1 FROM entries);

-- Why and until when stand in the stance now.
DROP VIEW v_rejected;
CREATE VIEW v_rejected AS
SELECT id, summary, detail ->> '$.stance.why' AS why, detail ->> '$.stance.until' AS reopen, project, created_at, status
FROM entries WHERE category = 'rejected' AND status IN ('active', 'done') ORDER BY created_at DESC, number DESC;
