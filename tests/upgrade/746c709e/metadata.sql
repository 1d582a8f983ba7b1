--
-- PostgreSQL database dump
--

-- Dumped from database version 16.2
-- Dumped by pg_dump version 16.2

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: count_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    counted bigint;
BEGIN
    UPDATE change_numbers SET number = number + 1 WHERE kind = TG_ARGV[0] RETURNING number INTO counted;
    PERFORM pg_notify('change_numbers', TG_ARGV[0] || ' ' || counted);
    RETURN NULL;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: alembic_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


--
-- Name: alert_activity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_activity (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    alert_id character varying NOT NULL,
    alert_name character varying NOT NULL,
    type character varying NOT NULL,
    value double precision,
    threshold double precision,
    condition character varying NOT NULL,
    severity character varying NOT NULL,
    at_ms bigint NOT NULL,
    environment character varying
);


--
-- Name: alert_channels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_channels (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    name character varying NOT NULL,
    type character varying NOT NULL,
    destination character varying NOT NULL,
    preview character varying NOT NULL,
    secret character varying,
    enabled boolean NOT NULL,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL
);


--
-- Name: alert_recipients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_recipients (
    alert_id character varying NOT NULL,
    channel_id character varying NOT NULL,
    "position" bigint NOT NULL
);


--
-- Name: alerts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alerts (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    name character varying NOT NULL,
    event character varying,
    measure character varying,
    property character varying,
    filters character varying NOT NULL,
    segment_id character varying,
    condition character varying NOT NULL,
    threshold double precision,
    window_minutes bigint NOT NULL,
    severity character varying NOT NULL,
    cooldown_minutes bigint NOT NULL,
    enabled boolean NOT NULL,
    status character varying NOT NULL,
    evaluated_at_ms bigint,
    value double precision,
    told_at_ms bigint,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL,
    formula character varying
);


--
-- Name: annotations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.annotations (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    label character varying NOT NULL,
    description character varying,
    color character varying NOT NULL,
    time_ms bigint NOT NULL,
    time_end_ms bigint,
    created_at_ms bigint NOT NULL,
    key character varying
);


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    name character varying NOT NULL,
    prefix character varying NOT NULL,
    secret_hash bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    created_by character varying,
    last_used_at_ms bigint,
    revoked_at_ms bigint
);


--
-- Name: audit_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_entries (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    at_ms bigint NOT NULL,
    by_user character varying,
    by_email character varying,
    action character varying NOT NULL,
    subject character varying NOT NULL,
    details character varying NOT NULL
);


--
-- Name: bots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bots (
    workspace_id character varying NOT NULL,
    id character varying NOT NULL,
    revision bigint NOT NULL,
    late_revision bigint NOT NULL,
    first_seen_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL,
    name character varying NOT NULL,
    listing_id character varying NOT NULL,
    certified boolean NOT NULL,
    owners character varying NOT NULL,
    deleted boolean NOT NULL,
    def_avatar character varying NOT NULL,
    avatar character varying NOT NULL,
    short_desc character varying NOT NULL,
    lib character varying NOT NULL,
    prefix character varying NOT NULL,
    website character varying NOT NULL,
    approved_at_ms bigint,
    tags character varying NOT NULL,
    unlisted boolean NOT NULL,
    unlisted_reason character varying,
    server_count bigint,
    server_count_ms bigint,
    shard_count bigint,
    shard_count_ms bigint,
    monthly_votes bigint,
    monthly_votes_ms bigint,
    total_votes bigint,
    total_votes_ms bigint,
    review_count bigint,
    review_count_ms bigint,
    avg_review_rating double precision,
    avg_review_rating_ms bigint,
    shards character varying,
    votes bigint NOT NULL,
    month_votes bigint NOT NULL,
    month bigint NOT NULL,
    voters bigint NOT NULL,
    webhook_secret character varying,
    counter_source bigint,
    counter_source_ms bigint
);


--
-- Name: change_numbers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.change_numbers (
    kind character varying NOT NULL,
    number bigint NOT NULL
);


--
-- Name: dashboards; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.dashboards (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    name character varying NOT NULL,
    description character varying,
    icon character varying,
    environment character varying NOT NULL,
    time_range character varying NOT NULL,
    is_public boolean NOT NULL,
    slug character varying,
    created_at_ms bigint NOT NULL,
    created_by character varying,
    updated_at_ms bigint NOT NULL,
    filters character varying DEFAULT '[]'::character varying NOT NULL,
    CONSTRAINT ck_dashboards_public_has_slug CHECK (((slug IS NOT NULL) OR (NOT is_public)))
);


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    id character varying NOT NULL,
    channel_id character varying NOT NULL,
    message character varying NOT NULL,
    status character varying NOT NULL,
    attempts bigint NOT NULL,
    error character varying,
    created_at_ms bigint NOT NULL,
    next_attempt_ms bigint,
    leased_until_ms bigint,
    last_attempt_ms bigint
);


--
-- Name: digest_letters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.digest_letters (
    sending_id character varying NOT NULL,
    recipient character varying NOT NULL,
    address character varying NOT NULL,
    "position" bigint NOT NULL,
    status character varying NOT NULL,
    attempts bigint NOT NULL,
    error character varying,
    next_attempt_ms bigint,
    sent_at_ms bigint
);


--
-- Name: digest_recipients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.digest_recipients (
    digest_id character varying NOT NULL,
    recipient character varying NOT NULL,
    address character varying NOT NULL,
    "position" bigint NOT NULL,
    unsubscribed_ms bigint
);


--
-- Name: digest_sendings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.digest_sendings (
    id character varying NOT NULL,
    digest_id character varying NOT NULL,
    due_ms bigint NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: digests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.digests (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    dashboard_id character varying NOT NULL,
    name character varying,
    cadence character varying NOT NULL,
    send_hour bigint NOT NULL,
    weekday bigint,
    day_of_month bigint,
    timezone character varying NOT NULL,
    enabled boolean NOT NULL,
    token_secret character varying NOT NULL,
    last_sent_ms bigint,
    next_due_ms bigint,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL
);


--
-- Name: environments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.environments (
    workspace_id character varying NOT NULL,
    name character varying NOT NULL,
    retention_days integer,
    created_at_ms bigint NOT NULL,
    display_name character varying
);


--
-- Name: erasure_parts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.erasure_parts (
    erasure_id character varying NOT NULL,
    spool bigint NOT NULL
);


--
-- Name: event_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_grants (
    workspace_id character varying NOT NULL,
    month bigint NOT NULL,
    spool bigint NOT NULL,
    granted bigint NOT NULL,
    used bigint NOT NULL
);


--
-- Name: external_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.external_sources (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    name character varying NOT NULL,
    host character varying NOT NULL,
    header_name character varying,
    token character varying,
    token_end character varying,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL
);


--
-- Name: feed_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.feed_outbox (
    id bigint NOT NULL,
    table_name character varying NOT NULL,
    lines bytea NOT NULL
);


--
-- Name: feed_outbox_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.feed_outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: feed_outbox_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.feed_outbox_id_seq OWNED BY public.feed_outbox.id;


--
-- Name: group_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.group_keys (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    prop_key character varying NOT NULL,
    label character varying NOT NULL,
    is_default boolean NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    key character varying NOT NULL,
    fingerprint character varying NOT NULL,
    spool bigint NOT NULL,
    accepted bigint,
    received_ms bigint,
    at_ms bigint NOT NULL
);


--
-- Name: incidents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.incidents (
    id character varying NOT NULL,
    alert_id character varying NOT NULL,
    fired_at_ms bigint NOT NULL,
    resolved_at_ms bigint,
    value double precision,
    told boolean NOT NULL
);


--
-- Name: installation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.installation (
    id character varying NOT NULL,
    epoch bigint NOT NULL,
    begun bigint
);


--
-- Name: invites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invites (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    email character varying NOT NULL,
    role character varying NOT NULL,
    token_hash bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    created_by character varying,
    expires_at_ms bigint NOT NULL,
    CONSTRAINT ck_invites_email_lowercase CHECK (((email)::text = lower((email)::text))),
    CONSTRAINT ck_invites_role_known CHECK (((role)::text = ANY ((ARRAY['viewer'::character varying, 'developer'::character varying, 'admin'::character varying, 'owner'::character varying])::text[])))
);


--
-- Name: listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listings (
    workspace_id character varying NOT NULL,
    revision bigint NOT NULL,
    is_public boolean NOT NULL,
    slug character varying,
    CONSTRAINT ck_listings_public_has_slug CHECK (((slug IS NOT NULL) OR (NOT is_public)))
);


--
-- Name: losses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.losses (
    id integer NOT NULL,
    at_ms bigint NOT NULL,
    what character varying NOT NULL
);


--
-- Name: losses_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.losses_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: losses_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.losses_id_seq OWNED BY public.losses.id;


--
-- Name: mail_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_outbox (
    id character varying NOT NULL,
    letter character varying NOT NULL,
    attempts bigint NOT NULL,
    created_at_ms bigint NOT NULL,
    next_attempt_ms bigint NOT NULL,
    leased_until_ms bigint
);


--
-- Name: memberships; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.memberships (
    user_id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    role character varying NOT NULL,
    joined_at_ms bigint DEFAULT '0'::bigint NOT NULL,
    CONSTRAINT ck_memberships_role_known CHECK (((role)::text = ANY ((ARRAY['viewer'::character varying, 'developer'::character varying, 'admin'::character varying, 'owner'::character varying])::text[])))
);


--
-- Name: moved_away; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.moved_away (
    host character varying NOT NULL,
    path character varying NOT NULL,
    spool bigint NOT NULL
);


--
-- Name: password_resets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.password_resets (
    token_hash bytea NOT NULL,
    user_id character varying NOT NULL,
    expires_at_ms bigint NOT NULL
);


--
-- Name: personal_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.personal_tokens (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    created_by character varying NOT NULL,
    name character varying NOT NULL,
    scopes character varying NOT NULL,
    environment character varying,
    prefix character varying NOT NULL,
    secret_hash bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint,
    last_used_at_ms bigint,
    revoked_at_ms bigint
);


--
-- Name: scheduled_jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scheduled_jobs (
    name character varying NOT NULL,
    due_ms bigint NOT NULL,
    leased_by character varying,
    leased_until_ms bigint,
    done_ms bigint,
    failures bigint NOT NULL
);


--
-- Name: segments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.segments (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    name character varying NOT NULL,
    filters character varying NOT NULL,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    created_at_ms bigint NOT NULL,
    last_seen_at_ms bigint NOT NULL,
    expires_at_ms bigint NOT NULL
);


--
-- Name: shared_erasures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shared_erasures (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    environment character varying NOT NULL,
    actor character varying,
    erased bigint NOT NULL,
    asked_at_ms bigint NOT NULL
);


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    token_hash bytea NOT NULL,
    session_hash bytea NOT NULL,
    expires_at_ms bigint NOT NULL
);


--
-- Name: spools; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spools (
    identity bigint NOT NULL,
    host character varying NOT NULL,
    path character varying NOT NULL,
    epoch bigint NOT NULL,
    begun bigint,
    state character varying NOT NULL,
    kept_by bigint,
    acknowledged bigint DEFAULT '0'::bigint NOT NULL,
    stored bigint DEFAULT '0'::bigint NOT NULL,
    seen_at timestamp with time zone,
    numbers character varying DEFAULT ''::character varying NOT NULL,
    CONSTRAINT ck_spools_ck_spools_state CHECK (((state)::text = ANY ((ARRAY['live'::character varying, 'adopted'::character varying, 'lost'::character varying])::text[])))
);


--
-- Name: spools_identity_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.spools_identity_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: spools_identity_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.spools_identity_seq OWNED BY public.spools.identity;


--
-- Name: stats_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stats_tokens (
    id character varying NOT NULL,
    workspace_id character varying NOT NULL,
    name character varying NOT NULL,
    scope character varying NOT NULL,
    bot_id character varying,
    prefix character varying NOT NULL,
    secret_hash bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    created_by character varying,
    last_used_at_ms bigint,
    revoked_at_ms bigint
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id character varying NOT NULL,
    email character varying NOT NULL,
    name character varying NOT NULL,
    password_hash character varying NOT NULL,
    created_at_ms bigint NOT NULL,
    CONSTRAINT ck_users_email_lowercase CHECK (((email)::text = lower((email)::text)))
);


--
-- Name: voters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.voters (
    workspace_id character varying NOT NULL,
    bot_id character varying NOT NULL,
    user_id character varying NOT NULL,
    votes bigint NOT NULL,
    weight bigint NOT NULL,
    streak bigint NOT NULL,
    last_vote_ms bigint NOT NULL,
    last_vote_id character varying NOT NULL,
    listing_id character varying,
    username character varying,
    avatar character varying
);


--
-- Name: widgets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.widgets (
    id character varying NOT NULL,
    dashboard_id character varying NOT NULL,
    title character varying NOT NULL,
    type character varying NOT NULL,
    config character varying NOT NULL,
    segment_id character varying,
    width bigint NOT NULL,
    height bigint NOT NULL,
    "position" bigint NOT NULL,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL,
    ignores_dashboard_filters boolean DEFAULT false NOT NULL
);


--
-- Name: workers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workers (
    spool bigint NOT NULL,
    id character varying NOT NULL,
    host character varying NOT NULL,
    settings character varying NOT NULL,
    seen_access bigint NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    seen_removals bigint DEFAULT '0'::bigint NOT NULL
);


--
-- Name: workers_spool_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.workers_spool_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: workers_spool_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.workers_spool_seq OWNED BY public.workers.spool;


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    id character varying NOT NULL,
    name character varying NOT NULL,
    plan character varying NOT NULL,
    timezone character varying NOT NULL,
    created_at_ms bigint NOT NULL,
    CONSTRAINT ck_workspaces_plan_known CHECK (((plan)::text = ANY ((ARRAY['free'::character varying, 'paid'::character varying])::text[])))
);


--
-- Name: feed_outbox id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feed_outbox ALTER COLUMN id SET DEFAULT nextval('public.feed_outbox_id_seq'::regclass);


--
-- Name: losses id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.losses ALTER COLUMN id SET DEFAULT nextval('public.losses_id_seq'::regclass);


--
-- Name: spools identity; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spools ALTER COLUMN identity SET DEFAULT nextval('public.spools_identity_seq'::regclass);


--
-- Name: workers spool; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workers ALTER COLUMN spool SET DEFAULT nextval('public.workers_spool_seq'::regclass);


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alembic_version VALUES ('0025_moved_away');


--
-- Data for Name: alert_activity; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_activity VALUES ('01a1f7fa-04c0-7d4f-bdd4-2749fdcd83ff', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', 'told', 'fired', 3, 2, 'above', 'warning', 1795161720000, 'production');
INSERT INTO public.alert_activity VALUES ('01a1f7fa-04c0-7085-b407-3f53cd2e76e8', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-7522-a63f-3395828bb301', 'average', 'fired', 14.1666666666667, 1, 'above', 'warning', 1795161720000, 'production');
INSERT INTO public.alert_activity VALUES ('01a1f7fa-ef20-7288-b065-22641300586b', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7fa-04c0-772d-a63e-64798bcc6c32', 'waiting', 'fired', 5, 4, 'above', 'warning', 1795161780000, 'production');


--
-- Data for Name: alert_channels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_channels VALUES ('01a1f7f8-3000-77c1-9712-f67f6483d2b6', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'email', 'email', 'gAAAAABrCvdh3j0grlAXNTiGuJ_P8sWQyBC-arx0wo-O8keJAPUgAhcpw2oXNVnlxtQzeo4-mld1XyDNNpMLwFasHxhRFBqPxA==', 'a•••@example.com', NULL, true, 1795161600000, 1795161600000);
INSERT INTO public.alert_channels VALUES ('01a1f7f8-3000-7580-b53f-c68c10a9a2f5', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'webhook', 'webhook', 'gAAAAABrCvdhipIv2N_KdK9zqrmRGd92toQnDPCnuqmODaTDeIghfqldWc9MYzqvtT5LYp_xJKHNHUMToXGfzqOqQSVNFXuLgFeSwtj8cPif2vN5A5q35JE=', 'http://127.0.0.1:18246/••••', 'gAAAAABrCvdh6-TaQejnCxg6au1kf3zwGcPo8Ftqf8WXWN-fMkfNpHr3zu-p26Zi_YLFsJQ2C9O8voPazCPUReO1LKx8Pn-eq8L0cQLMmtiw-r_x1QuNLnvJ3C-VsZ9oU7efuYmaUlMqmRLriFQpEmc8w2-oH7W71w==', true, 1795161600000, 1795161600000);
INSERT INTO public.alert_channels VALUES ('01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'telegram', 'telegram', 'gAAAAABrCvdhHVe_UP2mTHqrLn1qlSWTnjNhIZHoDPkzEdFfDHIgYnV-oQKqCg5DADIYaAVltbke53YwIzcyLx81lRXraRLgQp7lSYmLsRxdFJBatb-bOYc=', 'http://127.0.0.1:18246/••••', NULL, true, 1795161600000, 1795161600000);


--
-- Data for Name: alert_recipients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', 0);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', 1);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', 2);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7522-a63f-3395828bb301', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', 0);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7522-a63f-3395828bb301', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', 1);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7522-a63f-3395828bb301', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', 2);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7d7c-b2c2-916c78d479f6', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', 0);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7d7c-b2c2-916c78d479f6', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', 1);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7d7c-b2c2-916c78d479f6', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', 2);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7b6d-9ecf-6997d88e222b', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', 0);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7b6d-9ecf-6997d88e222b', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', 1);
INSERT INTO public.alert_recipients VALUES ('01a1f7f8-3000-7b6d-9ecf-6997d88e222b', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', 2);
INSERT INTO public.alert_recipients VALUES ('01a1f7fa-04c0-772d-a63e-64798bcc6c32', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', 0);
INSERT INTO public.alert_recipients VALUES ('01a1f7fa-04c0-772d-a63e-64798bcc6c32', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', 1);
INSERT INTO public.alert_recipients VALUES ('01a1f7fa-04c0-772d-a63e-64798bcc6c32', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', 2);


--
-- Data for Name: alerts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alerts VALUES ('01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'told', 'order.placed', 'count', NULL, '[]', NULL, 'above', 2, 60, 'warning', 60, true, 'firing', 1795161780000, 3, 1795161720000, 1795161600000, 1795161600000, NULL);
INSERT INTO public.alerts VALUES ('01a1f7f8-3000-7522-a63f-3395828bb301', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'average', 'order.placed', 'avg', 'amount', '[]', NULL, 'above', 1, 1440, 'warning', 1440, true, 'firing', 1795161780000, 14.1666666666667, 1795161720000, 1795161600000, 1795161600000, NULL);
INSERT INTO public.alerts VALUES ('01a1f7f8-3000-7d7c-b2c2-916c78d479f6', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'paused', 'visit', 'count', NULL, '[]', NULL, 'above', 0, 60, 'warning', 30, false, 'paused', NULL, NULL, NULL, 1795161600000, 1795161600000, NULL);
INSERT INTO public.alerts VALUES ('01a1f7f8-3000-7b6d-9ecf-6997d88e222b', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'formula', NULL, NULL, NULL, '[]', NULL, 'above', 100, 60, 'warning', 30, true, 'ok', 1795161780000, 0.6, NULL, 1795161600000, 1795161600000, '{"a":{"event":"order.placed","measure":"count"},"b":{"event":"visit","measure":"count"},"expression":"a / b"}');
INSERT INTO public.alerts VALUES ('01a1f7fa-04c0-772d-a63e-64798bcc6c32', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'waiting', 'visit', 'count', NULL, '[]', NULL, 'above', 4, 30, 'warning', 60, true, 'firing', 1795161780000, 5, 1795161780000, 1795161720000, 1795161720000, NULL);


--
-- Data for Name: annotations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.annotations VALUES ('01a1f7f8-3000-7bb4-a3c4-c2afe2acef11', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'v2', NULL, '#0072B2', 1794992400000, NULL, 1795161600000, NULL);


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys VALUES ('01a1f7f8-3000-72d6-8751-16cd9f3bb5da', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'live', 'tr_live_FSIe', '\xd9457e189dd8db84359862c54c31f02400a6d604b0d5d650da477286a1f68cd5', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795161600000, NULL);
INSERT INTO public.api_keys VALUES ('01a1f7f8-3000-75b9-b5a8-9572a1a23605', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'development', 'test', 'tr_test_Um7Y', '\x2f45de3572ac8caae91428983b6d202726e4a0dfa63d9a9b62facfadf684d78e', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795161600000, NULL);
INSERT INTO public.api_keys VALUES ('01a1f7f8-3000-7c98-9249-5dc19d4212c6', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'revoked', 'tr_live_LFnT', '\x1ad257858a527fb6e40e1ad2b62f726284234dae82b64b74be308d97058d92a4', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', NULL, 1795161600000);


--
-- Data for Name: audit_entries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7c13-b1ee-ea70546b1e94', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'workspace.create', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '{"name":"Harbor"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-74fa-bf8c-7e0d5f069a76', '01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'workspace.create', '01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', '{"name":"Quay"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-722f-bfc2-210b27684bf1', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'workspace.update', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '{"timezone":"Europe/Berlin"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7ac7-8ce8-4da838bc7f99', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'invite.create', '01a1f7f8-3000-7a2e-b717-ca1de81a784d', '{"email":"dev@example.com","role":"developer"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7b83-afcc-dd183e28aa3c', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-7624-b6cb-3af39a284720', 'dev@example.com', 'invite.accept', '01a1f7f8-3000-7a2e-b717-ca1de81a784d', '{"email":"dev@example.com","role":"developer"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7f15-85e4-80cb4f36a417', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'key.create', '01a1f7f8-3000-72d6-8751-16cd9f3bb5da', '{"name":"live","environment":"production","prefix":"tr_live_FSIe"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7e3d-ba82-1628d31130b2', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'key.create', '01a1f7f8-3000-75b9-b5a8-9572a1a23605', '{"name":"test","environment":"development","prefix":"tr_test_Um7Y"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-758f-aef4-42fa29c8b183', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'key.create', '01a1f7f8-3000-7c98-9249-5dc19d4212c6', '{"name":"revoked","environment":"production","prefix":"tr_live_LFnT"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7f91-93c6-4a383c7e3ba7', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'key.revoke', '01a1f7f8-3000-7c98-9249-5dc19d4212c6', '{"name":"revoked","environment":"production","prefix":"tr_live_LFnT"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7b1a-8426-7d1122c6c066', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'token.create', '01a1f7f8-3000-7a7c-84ff-b15c16ecbc5b', '{"name":"token","scopes":"read write","environment":null,"expiresAt":null,"prefix":"tr_pat_0zF7s","createdBy":"01a1f7f8-3000-766e-9073-81a730c6f7df"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-79b6-8496-db90282b832e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'token.create', '01a1f7f8-3000-7d8f-9d7b-ad91304f9cdb', '{"name":"limited","scopes":"read","environment":"development","expiresAt":null,"prefix":"tr_pat_MsZBi","createdBy":"01a1f7f8-3000-766e-9073-81a730c6f7df"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7cff-aa3d-4be30baf4318', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'token.create', '01a1f7f8-3000-734e-b385-2e5e53d89c72', '{"name":"expired","scopes":"read","environment":null,"expiresAt":"2026-11-20T08:01:30.000Z","prefix":"tr_pat_kRpmT","createdBy":"01a1f7f8-3000-766e-9073-81a730c6f7df"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-71de-91ed-29abc4d8cfbf', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'stats_token.create', '01a1f7f8-3000-7fbd-9e7d-6957bea10ca3', '{"name":"stats","scope":"read","prefix":"tr_stats_y8n"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7bb1-8097-90e697c2df14', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'stats_token.create', '01a1f7f8-3000-7b9a-98ff-ebb68f73e1c4', '{"name":"feed","scope":"write","prefix":"tr_stats_ts5"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7e2e-9acc-2c98d44cdaae', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'event.hide', '01a1cfa1-0a00-7d20-8586-280000000014', '{}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7428-8c67-05cfb69b5b1d', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'event.hide', '01a1ca7a-ae00-7d20-8586-280000000013', '{}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-72d5-8a61-3da85e71fd99', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'actor.erase', 'production', '{"actorSha256":"7cbccb0c4caadf9fcdb51ee457a828cc72a45879831b5b978ae2e2cefc449705"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-76b8-9d1e-386833a2f685', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'group_key.create', '01a1f7f8-3000-70ea-9b94-9490e12decf0', '{"propKey":"server_id","label":"Server"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-794a-a367-15a671d0981e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'group_key.default', '01a1f7f8-3000-70ea-9b94-9490e12decf0', '{"propKey":"server_id","before":null}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-74c9-a3dc-761832917cc9', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'dashboard.publish', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', '{"name":"The public board","environment":"production"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-72f5-8e3f-78d76c1ba151', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'dashboard.publish', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', '{"name":"The private board","environment":"production"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-73a0-bbe9-bde6166e8778', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'dashboard.unpublish', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', '{"name":"The private board","environment":"production"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-79a7-bfc1-ba5cc1290d2d', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'external_source.create', '01a1f7f8-3000-7710-913f-1036c1518578', '{"name":"Prices","host":"127.0.0.1"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-719d-9012-a68a2a245f92', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'webhook_secret.set', '432610292342587392', '{}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7682-845f-320efb92eb3e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'listing.publish', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '{}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7388-a1de-af4f30b57a0b', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert_channel.create', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', '{"name":"email","type":"email"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-78d5-b5c0-8c8b87a8dfe6', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert_channel.create', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', '{"name":"webhook","type":"webhook"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7fa2-bd30-5ca86ad4a85f', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert_channel.create', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', '{"name":"telegram","type":"telegram"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7b2f-977b-d39752404279', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert.create', '01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', '{"name":"told"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-78e0-b608-4f96882c4649', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert.create', '01a1f7f8-3000-7522-a63f-3395828bb301', '{"name":"average"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-7d6c-a378-1b61e9535188', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert.create', '01a1f7f8-3000-7d7c-b2c2-916c78d479f6', '{"name":"paused"}');
INSERT INTO public.audit_entries VALUES ('01a1f7f8-3000-761d-ab53-f120c720b208', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert.create', '01a1f7f8-3000-7b6d-9ecf-6997d88e222b', '{"name":"formula"}');
INSERT INTO public.audit_entries VALUES ('01a1f7fa-04c0-7a4d-abe3-a0023740803e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161720000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'digest.create', '01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', '{"name":"The private board","dashboardId":"01a1f7f8-3000-7fb7-95b6-8a6ef1058827","recipients":"ann@example.com, ben@example.com"}');
INSERT INTO public.audit_entries VALUES ('01a1f7fa-04c0-7837-bf8c-5eca777b341e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161720000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'digest.send', '01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', '{"name":"The private board","dashboardId":"01a1f7f8-3000-7fb7-95b6-8a6ef1058827","recipients":"ann@example.com, ben@example.com"}');
INSERT INTO public.audit_entries VALUES ('01a1f7fa-04c0-7e73-a89a-f9122e96f86f', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161720000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'alert.create', '01a1f7fa-04c0-772d-a63e-64798bcc6c32', '{"name":"waiting"}');
INSERT INTO public.audit_entries VALUES ('01a1f7fa-ef20-7143-b5c0-40b9a12437a4', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161780000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'digest.send', '01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', '{"name":"The private board","dashboardId":"01a1f7f8-3000-7fb7-95b6-8a6ef1058827","recipients":"ann@example.com"}');
INSERT INTO public.audit_entries VALUES ('01a1f7fa-ef20-7f31-a0a5-64244c98a30a', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161780000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'invite.create', '01a1f7fa-ef20-7cda-8d54-52524840fc6f', '{"email":"ben@example.com","role":"viewer"}');


--
-- Data for Name: bots; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.bots VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '432610292342587392', 26, 10, 1793440800000, 1795161600000, 'Teapot', '', false, '["205680187394752515"]', false, '', '', '', '', '', '', NULL, '["fun"]', false, NULL, 119, 1795089600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 7, 4, 24322, 4, 'gAAAAABrCvdhMFn_sTiVVlUmSsuY3MOkXbM9HicYaEq8ua4Bb8furvjhVffk0N20zmr3SqYbTlvcTqZ9GLHjqJCF61gf1jPLxhimUB4ms-qUVUcrHmvoMWg=', NULL, NULL);
INSERT INTO public.bots VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '583807014896140293', 18, 18, 1793440800000, 1795161600000, 'Umbrella', '', false, '["205680187394752515"]', false, '', '', '', '', '', '', NULL, '["fun"]', false, NULL, 219, 1795089600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 2, 24322, 2, NULL, NULL, NULL);
INSERT INTO public.bots VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '646937666251915264', 25, 24, 1793440800000, 1795161600000, 'Timetable', '', false, '["205680187394752515"]', false, '', '', '', '', '', '', NULL, '["fun"]', false, NULL, 319, 1795089600000, NULL, NULL, 40, 1795161600000, 5000, 1795161600000, NULL, NULL, NULL, NULL, NULL, 2, 1, 24322, 1, NULL, NULL, NULL);


--
-- Data for Name: change_numbers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.change_numbers VALUES ('removals', 0);
INSERT INTO public.change_numbers VALUES ('listing', 1);
INSERT INTO public.change_numbers VALUES ('access', 17);


--
-- Data for Name: dashboards; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.dashboards VALUES ('01a1f7f8-3000-7c5f-8173-76d7d5682a1e', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'The public board', NULL, NULL, 'production', '90d', true, 'c6PadUUpsSxEs9gGb3h8pg', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795161600000, '[]');
INSERT INTO public.dashboards VALUES ('01a1f7f8-3000-7fb7-95b6-8a6ef1058827', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'The private board', NULL, NULL, 'production', '90d', false, 'h9MI8EgK-BJLsHqbtb16vg', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795161600000, '[]');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-71f8-804c-2e2e46041baf', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","name":"told","severity":"warning","environment":"production","event":"order.placed","measure":"count","condition":"above","threshold":2,"value":3,"windowMinutes":60,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","property":null,"formula":null,"points":[[1795158180.0,0.0],[1795158240.0,0.0],[1795158300.0,0.0],[1795158360.0,0.0],[1795158420.0,0.0],[1795158480.0,0.0],[1795158540.0,0.0],[1795158600.0,0.0],[1795158660.0,0.0],[1795158720.0,0.0],[1795158780.0,0.0],[1795158840.0,0.0],[1795158900.0,0.0],[1795158960.0,0.0],[1795159020.0,0.0],[1795159080.0,0.0],[1795159140.0,0.0],[1795159200.0,0.0],[1795159260.0,0.0],[1795159320.0,0.0],[1795159380.0,0.0],[1795159440.0,0.0],[1795159500.0,0.0],[1795159560.0,0.0],[1795159620.0,0.0],[1795159680.0,0.0],[1795159740.0,0.0],[1795159800.0,0.0],[1795159860.0,0.0],[1795159920.0,0.0],[1795159980.0,0.0],[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,0.0],[1795160460.0,0.0],[1795160520.0,0.0],[1795160580.0,0.0],[1795160640.0,0.0],[1795160700.0,0.0],[1795160760.0,0.0],[1795160820.0,0.0],[1795160880.0,0.0],[1795160940.0,0.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,2.0],[1795161420.0,2.0],[1795161480.0,3.0],[1795161540.0,3.0],[1795161600.0,3.0],[1795161660.0,3.0],[1795161720.0,3.0]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-7595-a13e-7348eb738d51', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","name":"told","severity":"warning","environment":"production","event":"order.placed","measure":"count","condition":"above","threshold":2,"value":3,"windowMinutes":60,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","property":null,"formula":null,"points":[[1795158180.0,0.0],[1795158240.0,0.0],[1795158300.0,0.0],[1795158360.0,0.0],[1795158420.0,0.0],[1795158480.0,0.0],[1795158540.0,0.0],[1795158600.0,0.0],[1795158660.0,0.0],[1795158720.0,0.0],[1795158780.0,0.0],[1795158840.0,0.0],[1795158900.0,0.0],[1795158960.0,0.0],[1795159020.0,0.0],[1795159080.0,0.0],[1795159140.0,0.0],[1795159200.0,0.0],[1795159260.0,0.0],[1795159320.0,0.0],[1795159380.0,0.0],[1795159440.0,0.0],[1795159500.0,0.0],[1795159560.0,0.0],[1795159620.0,0.0],[1795159680.0,0.0],[1795159740.0,0.0],[1795159800.0,0.0],[1795159860.0,0.0],[1795159920.0,0.0],[1795159980.0,0.0],[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,0.0],[1795160460.0,0.0],[1795160520.0,0.0],[1795160580.0,0.0],[1795160640.0,0.0],[1795160700.0,0.0],[1795160760.0,0.0],[1795160820.0,0.0],[1795160880.0,0.0],[1795160940.0,0.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,2.0],[1795161420.0,2.0],[1795161480.0,3.0],[1795161540.0,3.0],[1795161600.0,3.0],[1795161660.0,3.0],[1795161720.0,3.0]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-7f4e-af22-7d2f8304897c', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","name":"told","severity":"warning","environment":"production","event":"order.placed","measure":"count","condition":"above","threshold":2,"value":3,"windowMinutes":60,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7706-9fbd-3ed4d69b9d18","property":null,"formula":null,"points":[[1795158180.0,0.0],[1795158240.0,0.0],[1795158300.0,0.0],[1795158360.0,0.0],[1795158420.0,0.0],[1795158480.0,0.0],[1795158540.0,0.0],[1795158600.0,0.0],[1795158660.0,0.0],[1795158720.0,0.0],[1795158780.0,0.0],[1795158840.0,0.0],[1795158900.0,0.0],[1795158960.0,0.0],[1795159020.0,0.0],[1795159080.0,0.0],[1795159140.0,0.0],[1795159200.0,0.0],[1795159260.0,0.0],[1795159320.0,0.0],[1795159380.0,0.0],[1795159440.0,0.0],[1795159500.0,0.0],[1795159560.0,0.0],[1795159620.0,0.0],[1795159680.0,0.0],[1795159740.0,0.0],[1795159800.0,0.0],[1795159860.0,0.0],[1795159920.0,0.0],[1795159980.0,0.0],[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,0.0],[1795160460.0,0.0],[1795160520.0,0.0],[1795160580.0,0.0],[1795160640.0,0.0],[1795160700.0,0.0],[1795160760.0,0.0],[1795160820.0,0.0],[1795160880.0,0.0],[1795160940.0,0.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,2.0],[1795161420.0,2.0],[1795161480.0,3.0],[1795161540.0,3.0],[1795161600.0,3.0],[1795161660.0,3.0],[1795161720.0,3.0]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-7009-8706-3d9a01f9ec73', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7522-a63f-3395828bb301","name":"average","severity":"warning","environment":"production","event":"order.placed","measure":"avg","condition":"above","threshold":1,"value":14.1666666666667,"windowMinutes":1440,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7522-a63f-3395828bb301","property":"amount","formula":null,"points":[[1795075680.0,9007199254740990.0],[1795076040.0,9007199254740990.0],[1795076400.0,9007199254740990.0],[1795076760.0,9007199254740990.0],[1795077120.0,9007199254740990.0],[1795077480.0,9007199254740990.0],[1795077840.0,9007199254740990.0],[1795078200.0,9007199254740990.0],[1795078560.0,9007199254740990.0],[1795078920.0,9007199254740990.0],[1795079280.0,9007199254740990.0],[1795079640.0,9007199254740990.0],[1795080000.0,9007199254740990.0],[1795080360.0,9007199254740990.0],[1795080720.0,9007199254740990.0],[1795081080.0,9007199254740990.0],[1795081440.0,9007199254740990.0],[1795081800.0,9007199254740990.0],[1795082160.0,9007199254740990.0],[1795082520.0,9007199254741000.0],[1795082880.0,9007199254741000.0],[1795083240.0,9007199254741000.0],[1795083600.0,9007199254741000.0],[1795083960.0,9007199254741000.0],[1795084320.0,9007199254741000.0],[1795084680.0,9007199254741000.0],[1795085040.0,9007199254741000.0],[1795085400.0,9007199254741000.0],[1795085760.0,9007199254741000.0],[1795161000.0,10.0],[1795161360.0,15.25],[1795161720.0,14.1666666666667]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-74e2-822a-b9799850fb3d', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7522-a63f-3395828bb301","name":"average","severity":"warning","environment":"production","event":"order.placed","measure":"avg","condition":"above","threshold":1,"value":14.1666666666667,"windowMinutes":1440,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7522-a63f-3395828bb301","property":"amount","formula":null,"points":[[1795075680.0,9007199254740990.0],[1795076040.0,9007199254740990.0],[1795076400.0,9007199254740990.0],[1795076760.0,9007199254740990.0],[1795077120.0,9007199254740990.0],[1795077480.0,9007199254740990.0],[1795077840.0,9007199254740990.0],[1795078200.0,9007199254740990.0],[1795078560.0,9007199254740990.0],[1795078920.0,9007199254740990.0],[1795079280.0,9007199254740990.0],[1795079640.0,9007199254740990.0],[1795080000.0,9007199254740990.0],[1795080360.0,9007199254740990.0],[1795080720.0,9007199254740990.0],[1795081080.0,9007199254740990.0],[1795081440.0,9007199254740990.0],[1795081800.0,9007199254740990.0],[1795082160.0,9007199254740990.0],[1795082520.0,9007199254741000.0],[1795082880.0,9007199254741000.0],[1795083240.0,9007199254741000.0],[1795083600.0,9007199254741000.0],[1795083960.0,9007199254741000.0],[1795084320.0,9007199254741000.0],[1795084680.0,9007199254741000.0],[1795085040.0,9007199254741000.0],[1795085400.0,9007199254741000.0],[1795085760.0,9007199254741000.0],[1795161000.0,10.0],[1795161360.0,15.25],[1795161720.0,14.1666666666667]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-04c0-7656-a7aa-7469171da255', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', '{"type":"alert.fired","timestamp":"2026-11-20T08:02:00.000Z","alertId":"01a1f7f8-3000-7522-a63f-3395828bb301","name":"average","severity":"warning","environment":"production","event":"order.placed","measure":"avg","condition":"above","threshold":1,"value":14.1666666666667,"windowMinutes":1440,"firedAt":"2026-11-20T08:02:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7f8-3000-7522-a63f-3395828bb301","property":"amount","formula":null,"points":[[1795075680.0,9007199254740990.0],[1795076040.0,9007199254740990.0],[1795076400.0,9007199254740990.0],[1795076760.0,9007199254740990.0],[1795077120.0,9007199254740990.0],[1795077480.0,9007199254740990.0],[1795077840.0,9007199254740990.0],[1795078200.0,9007199254740990.0],[1795078560.0,9007199254740990.0],[1795078920.0,9007199254740990.0],[1795079280.0,9007199254740990.0],[1795079640.0,9007199254740990.0],[1795080000.0,9007199254740990.0],[1795080360.0,9007199254740990.0],[1795080720.0,9007199254740990.0],[1795081080.0,9007199254740990.0],[1795081440.0,9007199254740990.0],[1795081800.0,9007199254740990.0],[1795082160.0,9007199254740990.0],[1795082520.0,9007199254741000.0],[1795082880.0,9007199254741000.0],[1795083240.0,9007199254741000.0],[1795083600.0,9007199254741000.0],[1795083960.0,9007199254741000.0],[1795084320.0,9007199254741000.0],[1795084680.0,9007199254741000.0],[1795085040.0,9007199254741000.0],[1795085400.0,9007199254741000.0],[1795085760.0,9007199254741000.0],[1795161000.0,10.0],[1795161360.0,15.25],[1795161720.0,14.1666666666667]]}', 'sent', 1, NULL, 1795161720000, NULL, NULL, 1795161720000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-ef20-77c2-956c-8aa629f5ce43', '01a1f7f8-3000-77c1-9712-f67f6483d2b6', '{"type":"alert.fired","timestamp":"2026-11-20T08:03:00.000Z","alertId":"01a1f7fa-04c0-772d-a63e-64798bcc6c32","name":"waiting","severity":"warning","environment":"production","event":"visit","measure":"count","condition":"above","threshold":4,"value":5,"windowMinutes":30,"firedAt":"2026-11-20T08:03:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7fa-04c0-772d-a63e-64798bcc6c32","property":null,"formula":null,"points":[[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,1.0],[1795160460.0,1.0],[1795160520.0,1.0],[1795160580.0,1.0],[1795160640.0,1.0],[1795160700.0,1.0],[1795160760.0,1.0],[1795160820.0,1.0],[1795160880.0,1.0],[1795160940.0,1.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,3.0],[1795161420.0,4.0],[1795161480.0,4.0],[1795161540.0,5.0],[1795161600.0,5.0],[1795161660.0,5.0],[1795161720.0,5.0],[1795161780.0,5.0]]}', 'waiting', 1, 'the mail server answered 451', 1795161780000, 1795161784509, NULL, 1795161780000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-ef20-7667-bf7b-0094e95fab89', '01a1f7f8-3000-7580-b53f-c68c10a9a2f5', '{"type":"alert.fired","timestamp":"2026-11-20T08:03:00.000Z","alertId":"01a1f7fa-04c0-772d-a63e-64798bcc6c32","name":"waiting","severity":"warning","environment":"production","event":"visit","measure":"count","condition":"above","threshold":4,"value":5,"windowMinutes":30,"firedAt":"2026-11-20T08:03:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7fa-04c0-772d-a63e-64798bcc6c32","property":null,"formula":null,"points":[[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,1.0],[1795160460.0,1.0],[1795160520.0,1.0],[1795160580.0,1.0],[1795160640.0,1.0],[1795160700.0,1.0],[1795160760.0,1.0],[1795160820.0,1.0],[1795160880.0,1.0],[1795160940.0,1.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,3.0],[1795161420.0,4.0],[1795161480.0,4.0],[1795161540.0,5.0],[1795161600.0,5.0],[1795161660.0,5.0],[1795161720.0,5.0],[1795161780.0,5.0]]}', 'waiting', 1, 'HTTP 503', 1795161780000, 1795161784807, NULL, 1795161780000);
INSERT INTO public.deliveries VALUES ('01a1f7fa-ef20-779d-98e2-8964e64f69bd', '01a1f7f8-3000-73d9-9aaf-2cb69cb0dba8', '{"type":"alert.fired","timestamp":"2026-11-20T08:03:00.000Z","alertId":"01a1f7fa-04c0-772d-a63e-64798bcc6c32","name":"waiting","severity":"warning","environment":"production","event":"visit","measure":"count","condition":"above","threshold":4,"value":5,"windowMinutes":30,"firedAt":"2026-11-20T08:03:00.000Z","resolvedAt":null,"url":"http://tally.example.com/alerts/01a1f7fa-04c0-772d-a63e-64798bcc6c32","property":null,"formula":null,"points":[[1795160040.0,0.0],[1795160100.0,0.0],[1795160160.0,0.0],[1795160220.0,0.0],[1795160280.0,0.0],[1795160340.0,0.0],[1795160400.0,1.0],[1795160460.0,1.0],[1795160520.0,1.0],[1795160580.0,1.0],[1795160640.0,1.0],[1795160700.0,1.0],[1795160760.0,1.0],[1795160820.0,1.0],[1795160880.0,1.0],[1795160940.0,1.0],[1795161000.0,1.0],[1795161060.0,1.0],[1795161120.0,1.0],[1795161180.0,1.0],[1795161240.0,1.0],[1795161300.0,2.0],[1795161360.0,3.0],[1795161420.0,4.0],[1795161480.0,4.0],[1795161540.0,5.0],[1795161600.0,5.0],[1795161660.0,5.0],[1795161720.0,5.0],[1795161780.0,5.0]]}', 'waiting', 1, 'HTTP 503', 1795161780000, 1795161785461, NULL, 1795161780000);


--
-- Data for Name: digest_letters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.digest_letters VALUES ('01a1f7fa-04c0-7662-8369-2c3cba60ab66', 'ann@example.com', 'ann@example.com', 0, 'sent', 1, NULL, NULL, 1795161720000);
INSERT INTO public.digest_letters VALUES ('01a1f7fa-04c0-7662-8369-2c3cba60ab66', 'ben@example.com', 'ben@example.com', 1, 'sent', 1, NULL, NULL, 1795161720000);
INSERT INTO public.digest_letters VALUES ('01a1f7fa-ef20-7ad8-9146-03ef76a22e51', 'ann@example.com', 'ann@example.com', 0, 'waiting', 1, '451 try again later', 1795161785000, NULL);


--
-- Data for Name: digest_recipients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.digest_recipients VALUES ('01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', 'ann@example.com', 'ann@example.com', 0, NULL);
INSERT INTO public.digest_recipients VALUES ('01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', 'ben@example.com', 'ben@example.com', 1, 1795161720000);


--
-- Data for Name: digest_sendings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.digest_sendings VALUES ('01a1f7fa-04c0-7662-8369-2c3cba60ab66', '01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', 1795161720001, 1795161720000);
INSERT INTO public.digest_sendings VALUES ('01a1f7fa-ef20-7ad8-9146-03ef76a22e51', '01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', 1795161780001, 1795161780000);


--
-- Data for Name: digests; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.digests VALUES ('01a1f7fa-04c0-7afe-bc6a-0c5775fc2f3a', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', NULL, 'daily', 10, NULL, NULL, 'Europe/Berlin', true, 'WRvMSsADT6HMDhzThA5DUTS2IrgviMGwsXHXNomAUsk', 1795161720000, 1795165200000, 1795161720000, 1795161720000);


--
-- Data for Name: environments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.environments VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', NULL, 1795161600000, NULL);
INSERT INTO public.environments VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'development', NULL, 1795161600000, NULL);
INSERT INTO public.environments VALUES ('01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', 'production', NULL, 1795161600000, NULL);
INSERT INTO public.environments VALUES ('01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', 'development', NULL, 1795161600000, NULL);


--
-- Data for Name: erasure_parts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: event_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event_grants VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 202611, 3523305866, 31, 31);


--
-- Data for Name: external_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.external_sources VALUES ('01a1f7f8-3000-7710-913f-1036c1518578', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'Prices', '127.0.0.1', NULL, 'gAAAAABrCvdcrUF5aYF5lJEbwjhAWDNFnToLaFcG1G3vLnxZ-FcCPIt2XARmvJCwiHorwqqRY9uX4OJLR5MZJjA5eb_ieOzc9kIqClFO7Y1KEvJn_E82rBE=', 'urce', 1795161600000, 1795161600000);


--
-- Data for Name: feed_outbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.feed_outbox VALUES (23, 'bot_votes', '\x5b2230316131663766382d333030302d376434662d623831372d646638643433393664356366222c22343332363130323932333432353837333932222c22323035363830313837333934373532353135222c313739353136313534303030302c22222c315d0a');


--
-- Data for Name: group_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.group_keys VALUES ('01a1f7f8-3000-70ea-9b94-9490e12decf0', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'server_id', 'Server', true, 1795161600000);


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotency_keys VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'stored-batch', 'fe81f3928d4ab6814605a3064f2fb97ccbe5b5adab44feb70cbbc7ae62e1c31a', 3523305866, 18, 1795161600000, 1795161600000);
INSERT INTO public.idempotency_keys VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'waiting-batch', 'de42d5c1c6cc685de31d1616d2693400332026e57059f96326bd161eeff066bd', 3523305866, 1, 1795161780000, 1795161780000);


--
-- Data for Name: incidents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.incidents VALUES ('01a1f7fa-04c0-704d-bba3-57caa3160928', '01a1f7f8-3000-7706-9fbd-3ed4d69b9d18', 1795161720000, NULL, 3, true);
INSERT INTO public.incidents VALUES ('01a1f7fa-04c0-7519-ba63-a410bfbe166e', '01a1f7f8-3000-7522-a63f-3395828bb301', 1795161720000, NULL, 14.1666666666667, true);
INSERT INTO public.incidents VALUES ('01a1f7fa-ef20-7370-8086-776eaa478b4c', '01a1f7fa-04c0-772d-a63e-64798bcc6c32', 1795161780000, NULL, 5, true);


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.installation VALUES ('ea3f85e0a8b90f7f3fbd2b2fddfb64c2', 2, NULL);


--
-- Data for Name: invites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invites VALUES ('01a1f7fa-ef20-7cda-8d54-52524840fc6f', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'ben@example.com', 'viewer', '\xfe7580c8ac900d45b6227f551f9248bafc3d2cf441b23ae4410fa9aa61c540c1', 1795161780000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795766580000);


--
-- Data for Name: listings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listings VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 26, true, 'tqSjyPYQEZssljDBVKD6aA');


--
-- Data for Name: losses; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mail_outbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.mail_outbox VALUES ('01a1f7fa-ef20-73e5-88de-dc59a47c253f', 'gAAAAABrCvd5kyqyS3O56A3_yu4g9hz-M51XpnxaSVCtoh6Fs-GuGpED5p-aQXSyAZ-6QmtbHXX2iBADqSr_Kms80cPPwk6D75XTRxm26qP3lmTCRNbv63cfyfwyGeZjzBJw7UJq9tngvxAENTM96J7YNVP2YgoopLJjgnxAPW86AghHN4iUMzTzC-ZyK37KBjc2WEftvHRpa-wJnLY-xzHWn4fHIoSanuN8YgvY60fXbOaB3leKaE7wOSSHlOkCdl09lklEdmEXVS4DL3kpZ33eooq22BjSBxYO368rEq__MItsWg4advyc7Sw-1x71bcgkvfwh7AirSTzH3RmWt0jnNpquMQ_Exhy1P0jiYmBOAFzLW-uWP_9vuZKn8yt6gEtVL80Vop9f_N37cZMfrVqKYzH6lErnWhIVkHaZwkvggpW_COgabMPix-I_swGkN-WjDxTd0W8YswyhL86hgk2XqRmMtKHKbJC-DUvOGtiLKsAGtGzDzUqT1IGu5wiFFBBWhUVljHof', 1, 1795161780000, 1795161785000, NULL);
INSERT INTO public.mail_outbox VALUES ('01a1f7fa-ef20-7291-9559-0a31bc73dcc9', 'gAAAAABrCvd5zSC7_xbi14VQd3qPKsqfFRwKfKFzm8ieFHVutpzhTM0o-crbdfQJeY62Le0qtZ6mTIa9DcxnYoHVp85cAnvIuL9Zd0m3Y1b9VJwSwCjFJQuXwmaeXs0GheGKj_66rtelehmCRmqUtbOp03vT6vFUo7VADqZvvFaPtcc--E1RNb0oSquHV74mnNLiv1gCvuYieFAxGs9Qybkh6OyRG3MLB8MylKCNF9boyOpAnYO3kTFXbLb38igIxq4TAXf3ANZTheW0VESuSE_XpctE-_X6lzEYf4NbwZ6kfxYv6-74HLj3qLBrpaR-mMVcysQK8T8tcZSLI8_m2hUwa-gQXD6n0mMihhCMz2b0Hl3sH0iHIFfMH1L13F8stsK2QstEAEfM0knsnmHgb0y0QLbphbK7-MBdjm3pGpiIrANA578psAijcGWJlXuMGNNjtFExPkAY972iGjdlCda0Z8nznPt5wQu5L721goVwZamenLpzs89srgmUmS-RDPDHk8LZzYYIMwutHPJCvWiYHCEPZrZ7s9CTLFcl-Ph3KQU4KMWDVLqmF61PLvgwEGXEvTPftRA114pS-cSxT5vQSd3xypAQJhQB9jKe55FelTXJ_64IkcQJd8IN7LtgSE76hD_ll1BLXMiz2Y9Tz_TFhbxMH8m7HbBB_tMOuxpXgfEr4geR7G4=', 1, 1795161780000, 1795161785000, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.memberships VALUES ('01a1f7f8-3000-766e-9073-81a730c6f7df', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'owner', 1795161600000);
INSERT INTO public.memberships VALUES ('01a1f7f8-3000-766e-9073-81a730c6f7df', '01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', 'owner', 1795161600000);
INSERT INTO public.memberships VALUES ('01a1f7f8-3000-7624-b6cb-3af39a284720', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'developer', 1795161600000);


--
-- Data for Name: moved_away; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: password_resets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.password_resets VALUES ('\xaec43e4816f9dd4981502944543cd5be4cf52bac900563633cb329070d35c9a4', '01a1f7f8-3000-7624-b6cb-3af39a284720', 1795165380000);


--
-- Data for Name: personal_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.personal_tokens VALUES ('01a1f7f8-3000-7a7c-84ff-b15c16ecbc5b', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-766e-9073-81a730c6f7df', 'token', 'read write', NULL, 'tr_pat_0zF7s', '\x71f7dac9d1741e9a9069ff93324e619fedf78b8c0a2eeb4c2a50597fb8f07809', 1795161600000, NULL, NULL, NULL);
INSERT INTO public.personal_tokens VALUES ('01a1f7f8-3000-7d8f-9d7b-ad91304f9cdb', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-766e-9073-81a730c6f7df', 'limited', 'read', 'development', 'tr_pat_MsZBi', '\x6757b99cfb9d1bb05ccee1ed1b06d9836d760c63ac126f5c4fa449453cc1ba77', 1795161600000, NULL, NULL, NULL);
INSERT INTO public.personal_tokens VALUES ('01a1f7f8-3000-734e-b385-2e5e53d89c72', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '01a1f7f8-3000-766e-9073-81a730c6f7df', 'expired', 'read', NULL, 'tr_pat_kRpmT', '\xcced736e170ebf656ac15ae824c7ef3e1b84e91721abcef58aa060204bbe01aa', 1795161600000, 1795161690000, NULL, NULL);


--
-- Data for Name: scheduled_jobs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.scheduled_jobs VALUES ('alerts', 1795161840000, NULL, NULL, 1795161780000, 0);
INSERT INTO public.scheduled_jobs VALUES ('digests', 1795161840000, NULL, NULL, 1795161780000, 0);
INSERT INTO public.scheduled_jobs VALUES ('retention', 1795165200000, NULL, NULL, 1795161600000, 0);


--
-- Data for Name: segments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.segments VALUES ('01a1f7f8-3000-75c5-a156-6853090de303', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'production', 'Pro', '[{"key":"plan","op":"eq","value":"pro"}]', 1795161600000, 1795161600000);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('\xbf4261f1507719c60fd08f4560f65b7b6e0c76dc6126b68a1f4e5716064be493', '01a1f7f8-3000-766e-9073-81a730c6f7df', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, 1795161780000, 1796371200000);
INSERT INTO public.sessions VALUES ('\xe5d5d368796680c23e3e94dfa2385f711d44d7cb2c3fa998e07cbd5c2d0a495e', '01a1f7f8-3000-7624-b6cb-3af39a284720', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 1795161600000, 1795161600000, 1796371200000);


--
-- Data for Name: shared_erasures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: spools; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spools VALUES (3523305866, 'host', '/var/lib/tallyroom', 2, NULL, 'live', NULL, 0, 0, NULL, '');


--
-- Data for Name: stats_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stats_tokens VALUES ('01a1f7f8-3000-7fbd-9e7d-6957bea10ca3', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'stats', 'read', NULL, 'tr_stats_y8n', '\xcfe1d8bdc606beb7664fdd5279a2ddbce264952d5005f03f62b365da152c5ed3', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', NULL, NULL);
INSERT INTO public.stats_tokens VALUES ('01a1f7f8-3000-7b9a-98ff-ebb68f73e1c4', '01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'feed', 'write', NULL, 'tr_stats_ts5', '\x7174e6619618e28371a61091ee426b1ee72d3c6fff1f1bc6afac2bfa6ab7f4ad', 1795161600000, '01a1f7f8-3000-766e-9073-81a730c6f7df', 1795161600000, NULL);


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users VALUES ('01a1f7f8-3000-766e-9073-81a730c6f7df', 'ann@example.com', 'Ann', '$argon2id$v=19$m=8,t=1,p=1$OB3uHwEeZTNnrR6rOlcHiQ$w48ZTR7Bv4zBvpHW3wVIQj/G/De2l+wgCdCn7KYT/94', 1795161600000);
INSERT INTO public.users VALUES ('01a1f7f8-3000-7624-b6cb-3af39a284720', 'dev@example.com', 'Dev', '$argon2id$v=19$m=8,t=1,p=1$5OIsMvLvq396813/97Pkyg$PTt3S9zQT7M/p5ygfqJD7twRffy2irXagEOtzQaSZlM', 1795161600000);


--
-- Data for Name: voters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '432610292342587392', '205680187394752512', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '432610292342587392', '205680187394752513', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '432610292342587392', '205680187394752514', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '583807014896140293', '205680187394752512', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '583807014896140293', '205680187394752513', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '646937666251915264', '205680187394752512', 2, 4, 2, 1793534400000, '', NULL, NULL, NULL);
INSERT INTO public.voters VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', '432610292342587392', '205680187394752515', 1, 1, 1, 1795161540000, '', NULL, NULL, NULL);


--
-- Data for Name: widgets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7965-b142-5ebfd3314107', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'table 0', 'table', '{"event":"order.placed","columns":["time","event","actor","prop:amount","prop:plan"],"rows":20}', NULL, 6, 4, 0, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7832-9675-597eb8736d60', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'table 1', 'table', '{"columns":["time","prop:amount"],"filters":[{"key":"amount","op":"eq","value":9007199254740993}]}', NULL, 6, 4, 1, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-754e-9d80-438d34128f79', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'metric 2', 'metric', '{"event":"order.placed","measure":"sum","property":"amount"}', NULL, 6, 4, 2, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-754c-a8de-858b63245adc', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'metric 3', 'metric', '{"event":"order.placed","measure":"sum","property":"amount","overTime":true}', NULL, 6, 4, 3, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7f1f-95e2-ceac582a6992', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'metric 4', 'metric', '{"event":"order.placed","measure":"count","breakdown":"amount"}', NULL, 6, 4, 4, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-744a-9166-233dca7d9c2c', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'metric 5', 'metric', '{"event":"visit","measure":"count","breakdown":"path","overTime":true,"interval":"week"}', NULL, 6, 4, 5, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7f43-ad38-8a412765ab0f', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'formula 6', 'formula', '{"a":{"event":"order.placed","measure":"count"},"b":{"event":"visit","measure":"count"},"expression":"a / b"}', NULL, 6, 4, 6, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-74a4-8836-5813538f481c', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'kpi 7', 'kpi', '{"items":[{"event":"visit","measure":"uniq_actors","label":"Visitors"}]}', NULL, 6, 4, 7, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-79cb-be26-500c7131db32', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'funnel 8', 'funnel', '{"steps":[{"event":"visit"},{"event":"order.placed"}]}', NULL, 6, 4, 8, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7cb3-bb60-498afed53daa', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'retention 9', 'retention', '{"cohortEvent":"visit","granularity":"week"}', NULL, 6, 4, 9, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-70a8-ab36-4457e4c7b18e', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'histogram 10', 'histogram', '{"event":"order.placed","property":"amount"}', NULL, 6, 4, 10, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7b01-bd7f-e7dda457daa4', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'heatmap 11', 'heatmap', '{"event":"visit"}', NULL, 6, 4, 11, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-719d-893e-b7930d25ae5a', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'note 12', 'note', '{"text":"Made by hand"}', NULL, 6, 4, 12, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7ca2-8cd1-48d659e797b5', '01a1f7f8-3000-7c5f-8173-76d7d5682a1e', 'metric 13', 'metric', '{"segmentId":"01a1f7f8-3000-75c5-a156-6853090de303","event":"order.placed","measure":"count"}', '01a1f7f8-3000-75c5-a156-6853090de303', 6, 4, 13, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-73e7-a0f3-2da039fdb8e8', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'table 0', 'table', '{"event":"order.placed","columns":["time","event","actor","prop:amount","prop:plan"],"rows":20}', NULL, 6, 4, 0, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7da3-8aae-50e3ada6f9f3', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'table 1', 'table', '{"columns":["time","prop:amount"],"filters":[{"key":"amount","op":"eq","value":9007199254740993}]}', NULL, 6, 4, 1, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-795a-a274-b2d106b463c4', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'metric 2', 'metric', '{"event":"order.placed","measure":"sum","property":"amount"}', NULL, 6, 4, 2, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-718f-bc76-2071433c72b2', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'metric 3', 'metric', '{"event":"order.placed","measure":"sum","property":"amount","overTime":true}', NULL, 6, 4, 3, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7658-ae77-14c9cff66573', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'metric 4', 'metric', '{"event":"order.placed","measure":"count","breakdown":"amount"}', NULL, 6, 4, 4, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7e3c-831f-d1431d25f602', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'metric 5', 'metric', '{"event":"visit","measure":"count","breakdown":"path","overTime":true,"interval":"week"}', NULL, 6, 4, 5, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-76b6-99bd-976d0d9ace22', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'formula 6', 'formula', '{"a":{"event":"order.placed","measure":"count"},"b":{"event":"visit","measure":"count"},"expression":"a / b"}', NULL, 6, 4, 6, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7780-92fd-854270654157', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'kpi 7', 'kpi', '{"items":[{"event":"visit","measure":"uniq_actors","label":"Visitors"}]}', NULL, 6, 4, 7, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7723-9e1f-6fca330090de', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'funnel 8', 'funnel', '{"steps":[{"event":"visit"},{"event":"order.placed"}]}', NULL, 6, 4, 8, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7970-aa01-9f9f4beeacb4', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'retention 9', 'retention', '{"cohortEvent":"visit","granularity":"week"}', NULL, 6, 4, 9, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-73c3-877d-11c7c8c6069f', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'histogram 10', 'histogram', '{"event":"order.placed","property":"amount"}', NULL, 6, 4, 10, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-79a1-9383-07ef7463a7f2', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'heatmap 11', 'heatmap', '{"event":"visit"}', NULL, 6, 4, 11, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7efd-a698-ba736401ce2d', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'note 12', 'note', '{"text":"Made by hand"}', NULL, 6, 4, 12, 1795161600000, 1795161600000, false);
INSERT INTO public.widgets VALUES ('01a1f7f8-3000-7ba0-8b35-a0a4737e7a5a', '01a1f7f8-3000-7fb7-95b6-8a6ef1058827', 'metric 13', 'metric', '{"segmentId":"01a1f7f8-3000-75c5-a156-6853090de303","event":"order.placed","measure":"count"}', '01a1f7f8-3000-75c5-a156-6853090de303', 6, 4, 13, 1795161600000, 1795161600000, false);


--
-- Data for Name: workers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces VALUES ('01a1f7f8-3000-7d4f-b817-df8d4396d5cf', 'Harbor', 'paid', 'Europe/Berlin', 1795161600000);
INSERT INTO public.workspaces VALUES ('01a1f7f8-3000-7f4f-8eb2-0fa6f275f4a5', 'Quay', 'paid', 'UTC', 1795161600000);


--
-- Name: feed_outbox_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.feed_outbox_id_seq', 24, false);


--
-- Name: losses_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.losses_id_seq', 1, false);


--
-- Name: spools_identity_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.spools_identity_seq', 1, false);


--
-- Name: workers_spool_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.workers_spool_seq', 1, false);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: alert_activity pk_alert_activity; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_activity
    ADD CONSTRAINT pk_alert_activity PRIMARY KEY (id);


--
-- Name: alert_channels pk_alert_channels; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT pk_alert_channels PRIMARY KEY (id);


--
-- Name: alert_recipients pk_alert_recipients; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_recipients
    ADD CONSTRAINT pk_alert_recipients PRIMARY KEY (alert_id, channel_id);


--
-- Name: alerts pk_alerts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT pk_alerts PRIMARY KEY (id);


--
-- Name: annotations pk_annotations; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.annotations
    ADD CONSTRAINT pk_annotations PRIMARY KEY (id);


--
-- Name: api_keys pk_api_keys; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (id);


--
-- Name: audit_entries pk_audit_entries; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT pk_audit_entries PRIMARY KEY (id);


--
-- Name: bots pk_bots; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bots
    ADD CONSTRAINT pk_bots PRIMARY KEY (workspace_id, id);


--
-- Name: change_numbers pk_change_numbers; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.change_numbers
    ADD CONSTRAINT pk_change_numbers PRIMARY KEY (kind);


--
-- Name: dashboards pk_dashboards; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dashboards
    ADD CONSTRAINT pk_dashboards PRIMARY KEY (id);


--
-- Name: deliveries pk_deliveries; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT pk_deliveries PRIMARY KEY (id);


--
-- Name: digest_letters pk_digest_letters; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_letters
    ADD CONSTRAINT pk_digest_letters PRIMARY KEY (sending_id, recipient);


--
-- Name: digest_recipients pk_digest_recipients; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_recipients
    ADD CONSTRAINT pk_digest_recipients PRIMARY KEY (digest_id, recipient);


--
-- Name: digest_sendings pk_digest_sendings; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_sendings
    ADD CONSTRAINT pk_digest_sendings PRIMARY KEY (id);


--
-- Name: digests pk_digests; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digests
    ADD CONSTRAINT pk_digests PRIMARY KEY (id);


--
-- Name: environments pk_environments; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.environments
    ADD CONSTRAINT pk_environments PRIMARY KEY (workspace_id, name);


--
-- Name: erasure_parts pk_erasure_parts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasure_parts
    ADD CONSTRAINT pk_erasure_parts PRIMARY KEY (erasure_id, spool);


--
-- Name: event_grants pk_event_grants; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_grants
    ADD CONSTRAINT pk_event_grants PRIMARY KEY (workspace_id, month, spool);


--
-- Name: external_sources pk_external_sources; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_sources
    ADD CONSTRAINT pk_external_sources PRIMARY KEY (id);


--
-- Name: feed_outbox pk_feed_outbox; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feed_outbox
    ADD CONSTRAINT pk_feed_outbox PRIMARY KEY (id);


--
-- Name: group_keys pk_group_keys; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.group_keys
    ADD CONSTRAINT pk_group_keys PRIMARY KEY (id);


--
-- Name: idempotency_keys pk_idempotency_keys; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (workspace_id, environment, key);


--
-- Name: incidents pk_incidents; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT pk_incidents PRIMARY KEY (id);


--
-- Name: installation pk_installation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT pk_installation PRIMARY KEY (id);


--
-- Name: invites pk_invites; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT pk_invites PRIMARY KEY (id);


--
-- Name: listings pk_listings; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT pk_listings PRIMARY KEY (workspace_id);


--
-- Name: losses pk_losses; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.losses
    ADD CONSTRAINT pk_losses PRIMARY KEY (id);


--
-- Name: mail_outbox pk_mail_outbox; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_outbox
    ADD CONSTRAINT pk_mail_outbox PRIMARY KEY (id);


--
-- Name: memberships pk_memberships; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT pk_memberships PRIMARY KEY (user_id, workspace_id);


--
-- Name: password_resets pk_password_resets; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT pk_password_resets PRIMARY KEY (token_hash);


--
-- Name: personal_tokens pk_personal_tokens; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT pk_personal_tokens PRIMARY KEY (id);


--
-- Name: scheduled_jobs pk_scheduled_jobs; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scheduled_jobs
    ADD CONSTRAINT pk_scheduled_jobs PRIMARY KEY (name);


--
-- Name: segments pk_segments; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT pk_segments PRIMARY KEY (id);


--
-- Name: sessions pk_sessions; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (token_hash);


--
-- Name: shared_erasures pk_shared_erasures; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shared_erasures
    ADD CONSTRAINT pk_shared_erasures PRIMARY KEY (id);


--
-- Name: sign_in_links pk_sign_in_links; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT pk_sign_in_links PRIMARY KEY (token_hash);


--
-- Name: spools pk_spools; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spools
    ADD CONSTRAINT pk_spools PRIMARY KEY (identity);


--
-- Name: stats_tokens pk_stats_tokens; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stats_tokens
    ADD CONSTRAINT pk_stats_tokens PRIMARY KEY (id);


--
-- Name: users pk_users; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT pk_users PRIMARY KEY (id);


--
-- Name: voters pk_voters; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.voters
    ADD CONSTRAINT pk_voters PRIMARY KEY (workspace_id, bot_id, user_id);


--
-- Name: widgets pk_widgets; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.widgets
    ADD CONSTRAINT pk_widgets PRIMARY KEY (id);


--
-- Name: workers pk_workers; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT pk_workers PRIMARY KEY (spool);


--
-- Name: workspaces pk_workspaces; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT pk_workspaces PRIMARY KEY (id);


--
-- Name: api_keys uq_api_keys_secret_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_secret_hash UNIQUE (secret_hash);


--
-- Name: dashboards uq_dashboards_slug; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dashboards
    ADD CONSTRAINT uq_dashboards_slug UNIQUE (slug);


--
-- Name: digest_sendings uq_digest_sendings_digest_id_due_ms; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_sendings
    ADD CONSTRAINT uq_digest_sendings_digest_id_due_ms UNIQUE (digest_id, due_ms);


--
-- Name: group_keys uq_group_keys_workspace_id_prop_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.group_keys
    ADD CONSTRAINT uq_group_keys_workspace_id_prop_key UNIQUE (workspace_id, prop_key);


--
-- Name: invites uq_invites_token_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT uq_invites_token_hash UNIQUE (token_hash);


--
-- Name: listings uq_listings_slug; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT uq_listings_slug UNIQUE (slug);


--
-- Name: personal_tokens uq_personal_tokens_secret_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT uq_personal_tokens_secret_hash UNIQUE (secret_hash);


--
-- Name: stats_tokens uq_stats_tokens_secret_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stats_tokens
    ADD CONSTRAINT uq_stats_tokens_secret_hash UNIQUE (secret_hash);


--
-- Name: users uq_users_email; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT uq_users_email UNIQUE (email);


--
-- Name: ix_alert_activity_workspace_id_at_ms_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_alert_activity_workspace_id_at_ms_id ON public.alert_activity USING btree (workspace_id, at_ms, id);


--
-- Name: ix_alert_channels_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_alert_channels_workspace_id ON public.alert_channels USING btree (workspace_id);


--
-- Name: ix_alert_recipients_channel_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_alert_recipients_channel_id ON public.alert_recipients USING btree (channel_id);


--
-- Name: ix_alerts_segment_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_alerts_segment_id ON public.alerts USING btree (segment_id);


--
-- Name: ix_alerts_workspace_id_environment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_alerts_workspace_id_environment ON public.alerts USING btree (workspace_id, environment);


--
-- Name: ix_annotations_workspace_id_environment_time_ms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_annotations_workspace_id_environment_time_ms ON public.annotations USING btree (workspace_id, environment, time_ms);


--
-- Name: ix_api_keys_workspace_id_environment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_api_keys_workspace_id_environment ON public.api_keys USING btree (workspace_id, environment);


--
-- Name: ix_audit_entries_workspace_id_at_ms_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_audit_entries_workspace_id_at_ms_id ON public.audit_entries USING btree (workspace_id, at_ms, id);


--
-- Name: ix_bots_id_with_secret; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_bots_id_with_secret ON public.bots USING btree (id) WHERE (webhook_secret IS NOT NULL);


--
-- Name: ix_bots_workspace_id_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_bots_workspace_id_revision ON public.bots USING btree (workspace_id, revision);


--
-- Name: ix_dashboards_workspace_id_environment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_dashboards_workspace_id_environment ON public.dashboards USING btree (workspace_id, environment);


--
-- Name: ix_deliveries_channel_id_created_at_ms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_deliveries_channel_id_created_at_ms ON public.deliveries USING btree (channel_id, created_at_ms);


--
-- Name: ix_deliveries_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_deliveries_waiting ON public.deliveries USING btree (next_attempt_ms) WHERE (next_attempt_ms IS NOT NULL);


--
-- Name: ix_digest_letters_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_digest_letters_waiting ON public.digest_letters USING btree (next_attempt_ms) WHERE (next_attempt_ms IS NOT NULL);


--
-- Name: ix_digests_dashboard_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_digests_dashboard_id ON public.digests USING btree (dashboard_id);


--
-- Name: ix_digests_next_due_ms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_digests_next_due_ms ON public.digests USING btree (next_due_ms);


--
-- Name: ix_digests_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_digests_workspace_id ON public.digests USING btree (workspace_id);


--
-- Name: ix_erasure_parts_spool; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_erasure_parts_spool ON public.erasure_parts USING btree (spool);


--
-- Name: ix_external_sources_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_external_sources_workspace_id ON public.external_sources USING btree (workspace_id);


--
-- Name: ix_feed_outbox_table_name_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_feed_outbox_table_name_id ON public.feed_outbox USING btree (table_name, id);


--
-- Name: ix_idempotency_keys_at_ms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_idempotency_keys_at_ms ON public.idempotency_keys USING btree (at_ms);


--
-- Name: ix_idempotency_keys_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_idempotency_keys_open ON public.idempotency_keys USING btree (spool) WHERE (accepted IS NULL);


--
-- Name: ix_invites_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_invites_workspace_id ON public.invites USING btree (workspace_id);


--
-- Name: ix_mail_outbox_next_attempt_ms; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_mail_outbox_next_attempt_ms ON public.mail_outbox USING btree (next_attempt_ms);


--
-- Name: ix_memberships_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_memberships_workspace_id ON public.memberships USING btree (workspace_id);


--
-- Name: ix_password_resets_user_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_password_resets_user_id ON public.password_resets USING btree (user_id);


--
-- Name: ix_personal_tokens_created_by_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_personal_tokens_created_by_workspace_id ON public.personal_tokens USING btree (created_by, workspace_id);


--
-- Name: ix_personal_tokens_workspace_id_environment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_personal_tokens_workspace_id_environment ON public.personal_tokens USING btree (workspace_id, environment);


--
-- Name: ix_segments_workspace_id_environment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_segments_workspace_id_environment ON public.segments USING btree (workspace_id, environment);


--
-- Name: ix_sessions_user_id_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_sessions_user_id_workspace_id ON public.sessions USING btree (user_id, workspace_id);


--
-- Name: ix_sign_in_links_session_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_sign_in_links_session_hash ON public.sign_in_links USING btree (session_hash);


--
-- Name: ix_stats_tokens_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_stats_tokens_workspace_id ON public.stats_tokens USING btree (workspace_id);


--
-- Name: ix_voters_leaderboard; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_voters_leaderboard ON public.voters USING btree (workspace_id, bot_id, weight DESC, votes DESC, last_vote_ms, user_id);


--
-- Name: ix_widgets_dashboard_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_widgets_dashboard_id ON public.widgets USING btree (dashboard_id);


--
-- Name: ix_widgets_segment_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_widgets_segment_id ON public.widgets USING btree (segment_id);


--
-- Name: uq_annotations_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX uq_annotations_key ON public.annotations USING btree (workspace_id, environment, key);


--
-- Name: uq_group_keys_default; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX uq_group_keys_default ON public.group_keys USING btree (workspace_id) WHERE is_default;


--
-- Name: uq_incidents_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX uq_incidents_open ON public.incidents USING btree (alert_id) WHERE (resolved_at_ms IS NULL);


--
-- Name: api_keys count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF id, workspace_id, environment, name, prefix, secret_hash, created_at_ms, created_by, revoked_at_ms OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: environments count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF workspace_id, name, retention_days, created_at_ms, display_name OR TRUNCATE ON public.environments FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: feed_outbox count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER DELETE ON public.feed_outbox FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('listing');


--
-- Name: listings count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF workspace_id, revision, is_public, slug OR TRUNCATE ON public.listings FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('listing');


--
-- Name: memberships count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF user_id, workspace_id, role, joined_at_ms OR TRUNCATE ON public.memberships FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: personal_tokens count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF id, workspace_id, created_by, name, scopes, environment, prefix, secret_hash, created_at_ms, expires_at_ms, revoked_at_ms OR TRUNCATE ON public.personal_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: stats_tokens count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF id, workspace_id, name, scope, bot_id, prefix, secret_hash, created_at_ms, created_by, revoked_at_ms OR TRUNCATE ON public.stats_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: workspaces count_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_change AFTER INSERT OR DELETE OR UPDATE OF id, name, plan, timezone, created_at_ms OR TRUNCATE ON public.workspaces FOR EACH STATEMENT EXECUTE FUNCTION public.count_change('access');


--
-- Name: alert_activity fk_alert_activity_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_activity
    ADD CONSTRAINT fk_alert_activity_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: alert_channels fk_alert_channels_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT fk_alert_channels_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: alert_recipients fk_alert_recipients_alert_id_alerts; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_recipients
    ADD CONSTRAINT fk_alert_recipients_alert_id_alerts FOREIGN KEY (alert_id) REFERENCES public.alerts(id) ON DELETE CASCADE;


--
-- Name: alert_recipients fk_alert_recipients_channel_id_alert_channels; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_recipients
    ADD CONSTRAINT fk_alert_recipients_channel_id_alert_channels FOREIGN KEY (channel_id) REFERENCES public.alert_channels(id) ON DELETE CASCADE;


--
-- Name: alerts fk_alerts_segment_id_segments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT fk_alerts_segment_id_segments FOREIGN KEY (segment_id) REFERENCES public.segments(id);


--
-- Name: alerts fk_alerts_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT fk_alerts_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name) ON DELETE CASCADE;


--
-- Name: annotations fk_annotations_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.annotations
    ADD CONSTRAINT fk_annotations_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name) ON DELETE CASCADE;


--
-- Name: api_keys fk_api_keys_created_by_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_created_by_users FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: api_keys fk_api_keys_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name);


--
-- Name: audit_entries fk_audit_entries_by_user_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT fk_audit_entries_by_user_users FOREIGN KEY (by_user) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: audit_entries fk_audit_entries_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT fk_audit_entries_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: bots fk_bots_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bots
    ADD CONSTRAINT fk_bots_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: dashboards fk_dashboards_created_by_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dashboards
    ADD CONSTRAINT fk_dashboards_created_by_users FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: dashboards fk_dashboards_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dashboards
    ADD CONSTRAINT fk_dashboards_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name);


--
-- Name: dashboards fk_dashboards_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dashboards
    ADD CONSTRAINT fk_dashboards_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: deliveries fk_deliveries_channel_id_alert_channels; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT fk_deliveries_channel_id_alert_channels FOREIGN KEY (channel_id) REFERENCES public.alert_channels(id) ON DELETE CASCADE;


--
-- Name: digest_letters fk_digest_letters_sending_id_digest_sendings; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_letters
    ADD CONSTRAINT fk_digest_letters_sending_id_digest_sendings FOREIGN KEY (sending_id) REFERENCES public.digest_sendings(id) ON DELETE CASCADE;


--
-- Name: digest_recipients fk_digest_recipients_digest_id_digests; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_recipients
    ADD CONSTRAINT fk_digest_recipients_digest_id_digests FOREIGN KEY (digest_id) REFERENCES public.digests(id) ON DELETE CASCADE;


--
-- Name: digest_sendings fk_digest_sendings_digest_id_digests; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digest_sendings
    ADD CONSTRAINT fk_digest_sendings_digest_id_digests FOREIGN KEY (digest_id) REFERENCES public.digests(id) ON DELETE CASCADE;


--
-- Name: digests fk_digests_dashboard_id_dashboards; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digests
    ADD CONSTRAINT fk_digests_dashboard_id_dashboards FOREIGN KEY (dashboard_id) REFERENCES public.dashboards(id) ON DELETE CASCADE;


--
-- Name: digests fk_digests_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.digests
    ADD CONSTRAINT fk_digests_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: environments fk_environments_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.environments
    ADD CONSTRAINT fk_environments_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: external_sources fk_external_sources_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.external_sources
    ADD CONSTRAINT fk_external_sources_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: group_keys fk_group_keys_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.group_keys
    ADD CONSTRAINT fk_group_keys_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: incidents fk_incidents_alert_id_alerts; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.incidents
    ADD CONSTRAINT fk_incidents_alert_id_alerts FOREIGN KEY (alert_id) REFERENCES public.alerts(id) ON DELETE CASCADE;


--
-- Name: invites fk_invites_created_by_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT fk_invites_created_by_users FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: invites fk_invites_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invites
    ADD CONSTRAINT fk_invites_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: listings fk_listings_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT fk_listings_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: memberships fk_memberships_user_id_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT fk_memberships_user_id_users FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: memberships fk_memberships_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT fk_memberships_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: password_resets fk_password_resets_user_id_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT fk_password_resets_user_id_users FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: personal_tokens fk_personal_tokens_created_by_workspace_id_memberships; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT fk_personal_tokens_created_by_workspace_id_memberships FOREIGN KEY (created_by, workspace_id) REFERENCES public.memberships(user_id, workspace_id) ON DELETE CASCADE;


--
-- Name: personal_tokens fk_personal_tokens_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT fk_personal_tokens_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name) ON DELETE CASCADE;


--
-- Name: segments fk_segments_workspace_id_environment_environments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT fk_segments_workspace_id_environment_environments FOREIGN KEY (workspace_id, environment) REFERENCES public.environments(workspace_id, name) ON DELETE CASCADE;


--
-- Name: sessions fk_sessions_user_id_workspace_id_memberships; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_user_id_workspace_id_memberships FOREIGN KEY (user_id, workspace_id) REFERENCES public.memberships(user_id, workspace_id) ON DELETE CASCADE;


--
-- Name: sign_in_links fk_sign_in_links_session_hash_sessions; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT fk_sign_in_links_session_hash_sessions FOREIGN KEY (session_hash) REFERENCES public.sessions(token_hash) ON DELETE CASCADE;


--
-- Name: stats_tokens fk_stats_tokens_created_by_users; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stats_tokens
    ADD CONSTRAINT fk_stats_tokens_created_by_users FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: stats_tokens fk_stats_tokens_workspace_id_workspaces; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stats_tokens
    ADD CONSTRAINT fk_stats_tokens_workspace_id_workspaces FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: voters fk_voters_workspace_id_bot_id_bots; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.voters
    ADD CONSTRAINT fk_voters_workspace_id_bot_id_bots FOREIGN KEY (workspace_id, bot_id) REFERENCES public.bots(workspace_id, id) ON DELETE CASCADE;


--
-- Name: widgets fk_widgets_dashboard_id_dashboards; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.widgets
    ADD CONSTRAINT fk_widgets_dashboard_id_dashboards FOREIGN KEY (dashboard_id) REFERENCES public.dashboards(id) ON DELETE CASCADE;


--
-- Name: widgets fk_widgets_segment_id_segments; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.widgets
    ADD CONSTRAINT fk_widgets_segment_id_segments FOREIGN KEY (segment_id) REFERENCES public.segments(id);


--
-- PostgreSQL database dump complete
--

