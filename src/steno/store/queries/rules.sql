-- Rules: a projection of entries and records, folded elsewhere.

-- name: rules
-- Every rule, also those that retired or were merged.
SELECT id, rule, domain, agent, project, source, origin, score, status, violations, reinforcements, born_at,
       reinforced_at, checked_at, matcher, mode, trial, merged_into
FROM rules;

-- name: put_rule
-- A rule as it is now.
INSERT OR REPLACE INTO rules (id, rule, domain, agent, project, source, origin, score, status, violations,
                              reinforcements, born_at, reinforced_at, checked_at, matcher, mode, trial, merged_into)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18);

-- name: drop_rule
-- A rule whose entry is gone.
DELETE FROM rules WHERE id = ?1;

-- name: rules_state
-- How often what rules are made of has changed, and after which change and for which day they were folded last.
SELECT coalesce((SELECT value FROM meta WHERE name = 'rules_changes'), 0),
       (SELECT value FROM meta WHERE name = 'rules_folded');
