-- +goose Up
-- Times are Unix microseconds (UTC), JSON is text, digests are lower-case
-- hexadecimal. Every table of evidence names its workspace.

CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

CREATE TABLE members (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    operator BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE memberships (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    member_id TEXT NOT NULL REFERENCES members (id),
    role TEXT NOT NULL,
    PRIMARY KEY (workspace_id, member_id)
);
CREATE INDEX memberships_by_member ON memberships (member_id);

-- A credential is one hashed secret; used_at is when a sign-in link was spent.
CREATE TABLE credentials (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    secret_hash BLOB NOT NULL UNIQUE,
    member_id TEXT NOT NULL REFERENCES members (id),
    workspace_id TEXT REFERENCES workspaces (id),
    ceiling TEXT NOT NULL,
    operator BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX credentials_by_member ON credentials (member_id);

CREATE TABLE workloads (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    lens TEXT NOT NULL,
    declared TEXT NOT NULL,
    labels TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    revision BIGINT NOT NULL,
    UNIQUE (workspace_id, name)
);

-- headline_* is the leading outcome, kept beside the run so that a list of
-- thousands reads one table.
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    workload_id TEXT NOT NULL REFERENCES workloads (id),
    name TEXT NOT NULL,
    lens TEXT NOT NULL,
    replicate_group TEXT NOT NULL,
    started_at BIGINT,
    launch_kind TEXT NOT NULL,
    launch_group TEXT NOT NULL,
    launch_index BIGINT NOT NULL,
    origin TEXT NOT NULL,
    measured_on TEXT NOT NULL,
    formats TEXT NOT NULL,
    declared TEXT NOT NULL,
    labels TEXT NOT NULL,
    headline_metric TEXT NOT NULL,
    headline_value DOUBLE PRECISION,
    headline_absent TEXT NOT NULL,
    headline_unit TEXT NOT NULL,
    headline_direction TEXT NOT NULL,
    headline_n BIGINT,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    revision BIGINT NOT NULL,
    UNIQUE (workload_id, name)
);
CREATE INDEX runs_by_workspace ON runs (workspace_id, id);
CREATE INDEX runs_by_group ON runs (workspace_id, replicate_group);

CREATE TABLE captures (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    run_id TEXT NOT NULL REFERENCES runs (id),
    format TEXT NOT NULL,
    format_version TEXT NOT NULL,
    tool TEXT NOT NULL,
    lens TEXT NOT NULL,
    cell TEXT NOT NULL,
    selector TEXT NOT NULL,
    origin TEXT NOT NULL,
    origin_note TEXT NOT NULL,
    measured_on TEXT NOT NULL,
    started_at BIGINT,
    ended_at BIGINT,
    importer TEXT NOT NULL,
    product TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    parsed_sha256 TEXT NOT NULL,
    parsed_bytes BIGINT NOT NULL,
    declared_sha256 TEXT NOT NULL,
    file_name TEXT NOT NULL,
    via TEXT NOT NULL,
    imported_by TEXT NOT NULL,
    imported_at BIGINT NOT NULL,
    derived_from TEXT NOT NULL,
    launch TEXT NOT NULL,
    rank TEXT NOT NULL,
    dimensions TEXT NOT NULL,
    completeness TEXT NOT NULL,
    figures TEXT NOT NULL,
    findings TEXT NOT NULL,
    findings_count BIGINT NOT NULL,
    -- The same selection of the same bytes is read once by one reader.
    UNIQUE (workspace_id, sha256, selector, lens, importer)
);
CREATE INDEX captures_by_run ON captures (run_id);
CREATE INDEX captures_by_workspace ON captures (workspace_id, id);
CREATE INDEX captures_by_parsed ON captures (parsed_sha256);
CREATE INDEX captures_by_bytes ON captures (sha256);

-- A value or the reason it is missing: exactly one of value and absent is set.
CREATE TABLE measurements (
    capture_id TEXT NOT NULL REFERENCES captures (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    metric TEXT NOT NULL,
    name TEXT NOT NULL,
    statistic TEXT NOT NULL,
    phase TEXT NOT NULL,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    direction TEXT NOT NULL,
    value DOUBLE PRECISION,
    absent TEXT NOT NULL,
    note TEXT NOT NULL,
    n BIGINT,
    n_absent TEXT NOT NULL,
    basis TEXT NOT NULL,
    reported DOUBLE PRECISION,
    marks TEXT NOT NULL,
    censored BIGINT NOT NULL,
    PRIMARY KEY (capture_id, position),
    CHECK ((value IS NULL) = (absent <> ''))
);

CREATE TABLE setups (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    UNIQUE (workspace_id, name)
);

CREATE TABLE setup_versions (
    setup_id TEXT NOT NULL REFERENCES setups (id),
    version BIGINT NOT NULL,
    entries TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    PRIMARY KEY (setup_id, version)
);

CREATE TABLE attachments (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    setup_id TEXT NOT NULL REFERENCES setups (id),
    version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    attached_at BIGINT NOT NULL,
    attached_by TEXT NOT NULL,
    PRIMARY KEY (run_id, setup_id),
    FOREIGN KEY (setup_id, version) REFERENCES setup_versions (setup_id, version)
);

-- inputs is what the result was computed from, frozen: runs with what was
-- declared, setups and digests; request is what the person asked for.
CREATE TABLE comparisons (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    lens TEXT NOT NULL,
    answer TEXT NOT NULL,
    verdict TEXT NOT NULL,
    sentence TEXT NOT NULL,
    synthetic BOOLEAN NOT NULL,
    method TEXT NOT NULL,
    stats_version TEXT NOT NULL,
    request TEXT NOT NULL,
    inputs TEXT NOT NULL,
    inputs_sha256 TEXT NOT NULL,
    result TEXT NOT NULL,
    result_sha256 TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL
);
CREATE INDEX comparisons_by_workspace ON comparisons (workspace_id, id);

CREATE TABLE comparison_captures (
    comparison_id TEXT NOT NULL REFERENCES comparisons (id),
    capture_id TEXT NOT NULL REFERENCES captures (id),
    run_id TEXT NOT NULL,
    side TEXT NOT NULL,
    PRIMARY KEY (comparison_id, capture_id, side)
);
CREATE INDEX comparison_captures_by_capture ON comparison_captures (capture_id);
CREATE INDEX comparison_captures_by_run ON comparison_captures (run_id);

-- A create that was sent again answers with what the first one made.
CREATE TABLE idempotency (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    member_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request_sha256 TEXT NOT NULL,
    object_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, member_id, key)
);

-- Each chain (a workspace's, or the server's under '') is numbered from 1; a
-- row's hash covers the row and the hash before it.
CREATE TABLE audit (
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    role TEXT NOT NULL,
    method TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    action TEXT NOT NULL,
    object_kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    reason TEXT NOT NULL,
    outcome TEXT NOT NULL,
    request_id TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);

-- +goose StatementBegin
CREATE TRIGGER comparisons_stay BEFORE UPDATE ON comparisons
BEGIN SELECT RAISE(ABORT, 'a saved comparison is immutable'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
