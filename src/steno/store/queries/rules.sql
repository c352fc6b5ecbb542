-- Rules: a projection of entries and records, folded elsewhere.

-- name: rules
-- Every rule, also those that retired or were merged.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules;

-- name: rules_by_id
-- Some of them.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules WHERE id IN (SELECT value FROM json_each(:ids));

-- name: rules_by_key
-- Those that may say the same as another.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules WHERE id IN (SELECT rule FROM rule_keys WHERE key IN (SELECT value FROM json_each(:keys)));

-- name: rules_listed
-- Those that no other one says, of a score.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules WHERE merged_into IS NULL AND score >= :least AND (:below IS NULL OR score < :below);

-- name: rules_beginning
-- Those whose id begins so.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules WHERE id >= :id AND id < :until;

-- name: count_rules_in_force
-- How many there are for each agent, or for every one; refusals are a list of their own.
SELECT coalesce(agent, ''), count(*) FROM rules
WHERE merged_into IS NULL AND source <> 'rejected' AND status IN ('critical', 'active') GROUP BY 1 ORDER BY 1;

-- name: rules_due
-- What changed, or was told about, since the last fold.
SELECT id FROM rules_due;

-- name: clear_rules_due
-- Folded.
DELETE FROM rules_due;

-- name: put_rule_due
-- Another one once its time has come.
INSERT INTO rules_due (id) VALUES (?1) ON CONFLICT (id) DO NOTHING;

-- name: put_rule_key
-- By which a rule is found.
INSERT INTO rule_keys (key, rule) VALUES (?1, ?2) ON CONFLICT (key, rule) DO NOTHING;

-- name: drop_rule_keys
-- It says something else now.
DELETE FROM rule_keys WHERE rule = ?1;

-- name: put_rule
-- A rule as it is now.
INSERT INTO rules (id, rule, domain, agent, project, source, origin, score, status, violations,
                   reinforcements, born_at, reinforced_at, checked_at, matcher, mode, trial, merged_into)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
ON CONFLICT (id) DO UPDATE SET
  rule = excluded.rule, domain = excluded.domain, agent = excluded.agent, project = excluded.project,
  source = excluded.source, origin = excluded.origin, score = excluded.score, status = excluded.status,
  violations = excluded.violations, reinforcements = excluded.reinforcements, born_at = excluded.born_at, reinforced_at = excluded.reinforced_at,
  checked_at = excluded.checked_at, matcher = excluded.matcher, mode = excluded.mode, trial = excluded.trial,
  merged_into = excluded.merged_into;

-- name: drop_rule
-- A rule whose entry is gone.
DELETE FROM rules WHERE id = ?1;

-- name: rules_state
-- How often what rules are made of has changed, and after which change and for which day they were folded last.
SELECT coalesce((SELECT value FROM meta WHERE name = 'rules_changes'), 0),
       (SELECT value FROM meta WHERE name = 'rules_folded');

-- name: rule_laid_aside
-- Whether the last that people did with a rule was to lay it aside.
SELECT 1 FROM (
  SELECT value ->> '$.do' AS did FROM records
  WHERE act = 'rule' AND entry = :id AND did IN ('retire', 'lower', 'raise', 'revive') ORDER BY id DESC LIMIT 1)
WHERE did IN ('retire', 'lower');

-- name: rules_only_warning
-- Rules of which the last that people did with how far they go was to let them warn.
SELECT entry FROM (
  SELECT entry, value ->> '$.do' AS did, value ->> '$.mode' AS mode,
         row_number() OVER (PARTITION BY entry ORDER BY id DESC) AS back
  FROM records WHERE act = 'rule' AND did IN ('mode', 'matcher', 'raise', 'revive'))
WHERE back = 1 AND did = 'mode' AND mode = 'warn';
