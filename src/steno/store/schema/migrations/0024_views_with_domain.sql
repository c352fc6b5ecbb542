-- Why: who opens the file could see of what holds neither its field of work nor its details, and was shown refusals that are
-- over. Nothing is NULL for old rows.

DROP VIEW v_active_state;
DROP VIEW v_rejected;

CREATE VIEW v_active_state AS
SELECT id, category, summary, detail, origin, certainty, domain, project, created_at
FROM entries WHERE status = 'active' ORDER BY created_at DESC, number DESC LIMIT 50;

CREATE VIEW v_rejected AS
SELECT id, summary, detail ->> '$.stance.why' AS why, detail ->> '$.stance.until' AS reopen, domain, project, created_at
FROM entries WHERE category = 'rejected' AND status = 'active' ORDER BY created_at DESC, number DESC;
