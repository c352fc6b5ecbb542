-- The ledger of a model.

-- name: begin_call
-- A call is about to be made; all that it may take counts from now on.
INSERT INTO calls (at, purpose, model, state, tokens, money, session_id, agent)
VALUES (:at, :purpose, :model, 'begun', :tokens, :money, :session_id, :agent)
RETURNING id;

-- name: settle_call
-- It is over. Where nobody knows what it took (NULL), what was reserved for it stays.
UPDATE calls SET state = :state, problem = :problem, tokens_in = coalesce(:tokens_in, 0),
  tokens_out = coalesce(:tokens_out, 0), tokens_cached = coalesce(:tokens_cached, 0),
  tokens = coalesce(:tokens_in + :tokens_out, tokens), money = coalesce(:money, money)
WHERE id = :id;

-- name: spent
-- What calls took since a time, also those dated in the future: the clock was set back since then.
SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(money), 0.0) FROM calls WHERE at > :since;

-- name: last_calls
-- How the last calls of a model ended, the latest first.
SELECT state, at, problem FROM calls WHERE model = :model AND state <> 'begun' ORDER BY id DESC LIMIT :most;

-- name: calls
-- The ledger, the latest first.
SELECT calls.id, at, purpose, calls.model, state, tokens_in, tokens_out, tokens_cached, tokens, money, sessions.session,
       sessions.project, calls.agent, problem
FROM calls LEFT JOIN sessions ON sessions.id = session_id
ORDER BY calls.id DESC LIMIT :most;

-- name: call_totals
-- What calls took since a time, by day, purpose and agent.
SELECT substr(at, 1, 10), purpose, agent, count(*), sum(state = 'failed'), sum(tokens_in), sum(tokens_out),
       sum(tokens_cached), sum(tokens), sum(money)
FROM calls WHERE at > :since GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3;

-- name: given_by_day
-- How many tokens agents were given by briefings, by day.
SELECT substr(at, 1, 10), count(*), sum(tokens) FROM receipts WHERE at > :since AND tokens > 0 GROUP BY 1 ORDER BY 1 DESC;
