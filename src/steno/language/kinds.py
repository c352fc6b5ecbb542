"""Things of one kind in software work: a refused member is found by its kind, and a refused kind by its members.

"No cache layer" is about redis, too, though nobody said so. A word found this way counts less than the word itself.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Final

from steno.language.same_word import one_word

# The kind, then what belongs to it. A kind may have several words: each is one.
_KINDS: Final = """
cache caching: redis memcached memcache varnish valkey memoize lru
broker queue messaging: kafka rabbitmq amqp nats sqs activemq pulsar celery sidekiq bullmq zeromq kafkajs kinesis
orm object-relational: prisma typeorm sequelize sqlalchemy hibernate mikroorm drizzle activerecord peewee gorm
nosql document-store: mongodb dynamodb couchdb firestore cassandra
relational-database rdbms: postgresql mysql mariadb sqlite duckdb oracle sqlserver cockroachdb
search-engine: elasticsearch opensearch lucene solr meilisearch typesense algolia
elasticsearch: lucene es
bundler: webpack vite rollup parcel esbuild turbopack browserify
package-manager: npm pnpm yarn bun pip poetry uv cargo
css-in-js: styled-components emotion
preprocessor: sass scss less
spa: react vue svelte angular
state-management store: redux mobx zustand recoil pinia vuex
date-library: moment luxon dayjs date-fns pendulum arrow
http-client: axios httpx requests urllib aiohttp got
mock: magicmock monkeypatch sinon spy patch
snapshot: tomatchsnapshot golden
e2e browser-test: cypress playwright selenium puppeteer
test: jest vitest pytest mocha rspec junit unittest
linter: eslint ruff flake8 pylint rubocop stylelint biome
formatter format: prettier black gofmt rustfmt isort reformat
type-check: mypy pyright tsc
hook: husky pre-commit lefthook no-verify
ci pipeline: jenkins circleci travis buildkite workflow
container: podman containerd compose
orchestration cluster: kubernetes nomad swarm eks gke kustomize
infrastructure iac: terraform tofu pulumi ansible cloudformation
serverless: lambda cloudflare-workers functions
cdn: cloudflare cloudfront fastly akamai
object-storage bucket: s3 gcs minio
proxy: nginx haproxy traefik envoy caddy
crash error-tracking: sentry rollbar bugsnag
monitoring: datadog grafana prometheus newrelic splunk
analytics tracking: segment mixpanel amplitude matomo posthog gtag telemetry
logging log: logger winston pino loguru log4j print console.log
cron schedule: nightly hourly celerybeat airflow quartz timer crontab
daily: day morning
weekly: week
monthly: month
poll polling: setinterval refetch refetchinterval timer
sleep: pause settimeout waitfortimeout delay
websocket realtime: socket.io sse pusher
graphql: apollo resolver hasura gql
rpc: grpc protobuf thrift
rest: endpoint route
pagination: offset cursor
main: default
history rewrite: rebase squash amend force filter-branch
force: overwrite rewrite
squash: fixup collapse
deploy rollout: promote roll upload go-live
merge: automerge land
downgrade: pin older rollback
upgrade: newer latest
discard: throw stash reset
hash: md5 sha1 bcrypt argon2 scrypt digest
secret credential: jwt apikey dotenv vault key
authentication: oauth saml sso auth0 okta cognito
certificate: tls ssl https
admin root: sudo superuser
soft-delete: deleted_at is_deleted tombstone
boolean: bool
float: double decimal
enum: literal
any: unknown
inheritance: extends subclass mixin
global: singleton module-level
exception: try except catch raise throw
popup: lightbox overlay confirm alert
toast: snackbar notification
tooltip: popover hover
carousel: slider
animation: transition fade parallax framer-motion
infinite: infinitescroll endless
emoji: smiley
docstring: jsdoc godoc rustdoc
documentation: readme wiki changelog mkdocs sphinx
markdown: md
diagram: mermaid plantuml uml
i18n: translation locale gettext
microservice: grpc
monorepo: turborepo nx lerna
threading concurrency: asyncio multiprocessing goroutine parallel
regex: re.compile pattern
gpu: cuda a100 h100 nvidia graphics
llm model: gpt claude gemini llama mistral openai
spreadsheet: excel xlsx
csv: tsv
email: smtp sendgrid mailgun ses
payment: stripe paypal adyen braintree
dependabot: renovate
feature-flag flag: launchdarkly unleash toggle
delete: truncate drop expire destroy
backup dump: snapshot pg_dump mysqldump
column: alter
big: large huge
everyone: everybody
weekend: saturday sunday
"""


def kin(word: str) -> frozenset[str]:
    """The kinds a word belongs to, or what belongs to it, by stem."""
    return _kin().get(word, frozenset())


def _kinds() -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for line in _KINDS.strip().split("\n"):
        heads, _, members = line.partition(": ")
        yield frozenset(map(one_word, heads.split())), frozenset(map(one_word, members.split()))


@cache
def _kin() -> dict[str, frozenset[str]]:
    kin: dict[str, set[str]] = defaultdict(set)
    for heads, members in _kinds():
        for head in heads:
            kin[head] |= members - {head}
        for member in members:
            kin[member] |= heads - {member}
    return {word: frozenset(others) for word, others in kin.items()}
