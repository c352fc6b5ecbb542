-- What was given to whom.

-- name: put_receipt
-- One more was given.
INSERT INTO receipts (at, kind, agent, session, turn, tier, tokens, items, verdict)
VALUES (:at, :kind, :agent, :session, :turn, :tier, :tokens, :items, :verdict)
RETURNING id;

-- name: receipts
-- Everything given, the oldest first.
SELECT id, at, kind, agent, session, turn, tier, tokens, items, verdict FROM receipts
WHERE (:session IS NULL OR session = :session) ORDER BY id;
