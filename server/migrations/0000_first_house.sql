-- Ids of therapists and clients come from one sequence, so that /sb/user/only/{id} cannot collide
-- (docs/product.md#3.3).
CREATE SEQUENCE person_id AS bigint START WITH 101;
--> statement-breakpoint
CREATE SEQUENCE figure_id AS bigint START WITH 1;
--> statement-breakpoint
-- The body names a table that is made further down.
SET LOCAL check_function_bodies = off;
--> statement-breakpoint
-- The one clock of the product: anchor + elapsed real time x speed. Fresh at each statement, constant within it.
CREATE FUNCTION product_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT anchor_product + (statement_timestamp() - anchor_real) * speed FROM product_clock WHERE id = 1
$$;
--> statement-breakpoint
CREATE TABLE "limit_counters" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"window_start" timestamp with time zone NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_letters" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "outbox_letters_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" text NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"attachments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"not_before" timestamp with time zone DEFAULT product_now() NOT NULL,
	"lease_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	CONSTRAINT "outbox_letters_message_id_unique" UNIQUE("message_id")
);
--> statement-breakpoint
CREATE TABLE "product_clock" (
	"id" smallint PRIMARY KEY NOT NULL,
	"anchor_real" timestamp with time zone NOT NULL,
	"anchor_product" timestamp with time zone NOT NULL,
	"speed" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_agreements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_agreements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"version" text NOT NULL,
	"language" text NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY DEFAULT nextval('person_id') NOT NULL,
	"email" text NOT NULL,
	"email_normalized" text NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"gender" text NOT NULL,
	"language" text NOT NULL,
	"roles" text[] NOT NULL,
	"join_link" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"email_verified_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	CONSTRAINT "accounts_email_normalized_unique" UNIQUE("email_normalized"),
	CONSTRAINT "accounts_join_link_unique" UNIQUE("join_link")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "spent_captchas" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" bigint PRIMARY KEY DEFAULT nextval('person_id') NOT NULL,
	"therapist_id" bigint NOT NULL,
	"live_session_id" bigint,
	"name" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"state" text NOT NULL,
	"entered_by" text NOT NULL,
	"arrived_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"admitted_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"away_since" timestamp with time zone,
	"selected" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"former_roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "clients_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"client_id" bigint NOT NULL,
	"figure_id" bigint NOT NULL,
	"therapist_id" bigint NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"given_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	CONSTRAINT "roles_client_id_figure_id_pk" PRIMARY KEY("client_id","figure_id")
);
--> statement-breakpoint
CREATE TABLE "field_acts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "field_acts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"act_id" uuid NOT NULL,
	"actor_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"revision" bigint NOT NULL,
	"trace" jsonb NOT NULL,
	"acted_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figures" (
	"id" bigint PRIMARY KEY NOT NULL,
	"therapist_id" bigint NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"icon_type" text NOT NULL,
	"icon_id" bigint,
	"color" text NOT NULL,
	"show_text" boolean DEFAULT true NOT NULL,
	"x" double precision NOT NULL,
	"y" double precision NOT NULL,
	"rotation" double precision DEFAULT 0 NOT NULL,
	"scale" double precision DEFAULT 1 NOT NULL,
	"paint_order" integer NOT NULL,
	"movable_by" text DEFAULT 'holders' NOT NULL,
	"start_x" double precision NOT NULL,
	"start_y" double precision NOT NULL,
	"start_rotation" double precision DEFAULT 0 NOT NULL,
	"start_scale" double precision DEFAULT 1 NOT NULL,
	"updated_on" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "icons" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "icons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"name" text NOT NULL,
	"file_id" uuid NOT NULL,
	"width" double precision NOT NULL,
	"height" double precision NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"people_revision" bigint DEFAULT 0 NOT NULL,
	"field_revision" bigint DEFAULT 0 NOT NULL,
	"hands_allowed" boolean DEFAULT true NOT NULL,
	"admission" text DEFAULT 'ask' NOT NULL,
	"asks_until_end" boolean DEFAULT false NOT NULL,
	"code" text,
	"code_made_at" timestamp with time zone,
	"therapist_away_since" timestamp with time zone,
	CONSTRAINT "rooms_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "attendances" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attendances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"live_session_id" bigint NOT NULL,
	"client_id" bigint NOT NULL,
	"client_name" text NOT NULL,
	"joined_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"left_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "live_sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"started_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"counted_seconds" integer DEFAULT 0 NOT NULL,
	"field_at_end" jsonb
);
--> statement-breakpoint
ALTER TABLE "account_agreements" ADD CONSTRAINT "account_agreements_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_acts" ADD CONSTRAINT "field_acts_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "figures" ADD CONSTRAINT "figures_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "figures" ADD CONSTRAINT "figures_icon_id_icons_id_fk" FOREIGN KEY ("icon_id") REFERENCES "public"."icons"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "icons" ADD CONSTRAINT "icons_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_sessions" ADD CONSTRAINT "live_sessions_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_letters_due" ON "outbox_letters" USING btree ("not_before") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "stored_files_owner" ON "stored_files" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "account_tokens_account" ON "account_tokens" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sign_ins_account" ON "sign_ins" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "clients_present" ON "clients" USING btree ("therapist_id") WHERE state in ('waiting', 'in', 'away');--> statement-breakpoint
CREATE UNIQUE INDEX "clients_one_selected" ON "clients" USING btree ("therapist_id") WHERE selected;--> statement-breakpoint
CREATE INDEX "roles_figure" ON "roles" USING btree ("figure_id");--> statement-breakpoint
CREATE INDEX "roles_therapist" ON "roles" USING btree ("therapist_id");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_one_active" ON "roles" USING btree ("client_id") WHERE active;--> statement-breakpoint
CREATE UNIQUE INDEX "field_acts_once" ON "field_acts" USING btree ("therapist_id","act_id");--> statement-breakpoint
CREATE INDEX "field_acts_actor" ON "field_acts" USING btree ("therapist_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "figures_therapist" ON "figures" USING btree ("therapist_id","paint_order");--> statement-breakpoint
CREATE INDEX "icons_therapist" ON "icons" USING btree ("therapist_id");--> statement-breakpoint
CREATE INDEX "attendances_live_session" ON "attendances" USING btree ("live_session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "attendances_one_open" ON "attendances" USING btree ("live_session_id","client_id") WHERE left_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "live_sessions_one_running" ON "live_sessions" USING btree ("therapist_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "live_sessions_therapist" ON "live_sessions" USING btree ("therapist_id","started_at");
--> statement-breakpoint
INSERT INTO product_clock (id, anchor_real, anchor_product, speed) VALUES (1, now(), now(), 1);
--> statement-breakpoint
ALTER TABLE product_clock ADD CONSTRAINT product_clock_one CHECK (id = 1 AND speed > 0);
--> statement-breakpoint
ALTER TABLE figures ALTER COLUMN id SET DEFAULT nextval('figure_id');
--> statement-breakpoint
ALTER TABLE figures ADD CONSTRAINT figures_on_field CHECK (x BETWEEN 0 AND 1600 AND y BETWEEN 0 AND 1000 AND scale BETWEEN 0.25 AND 4 AND rotation >= 0 AND rotation < 360);
--> statement-breakpoint
ALTER TABLE figures ADD CONSTRAINT figures_custom_has_icon CHECK ((icon_type = 'CUSTOM') = (icon_id IS NOT NULL));
--> statement-breakpoint
-- A role goes with its figure.
ALTER TABLE roles ADD CONSTRAINT roles_figure FOREIGN KEY (figure_id) REFERENCES figures (id) ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE clients ADD CONSTRAINT clients_state CHECK (state IN ('waiting', 'in', 'away', 'declined', 'left', 'removed', 'over'));
--> statement-breakpoint
ALTER TABLE live_sessions ADD CONSTRAINT live_sessions_end CHECK ((ended_at IS NULL) = (end_reason IS NULL) AND (ended_at IS NULL OR ended_at >= started_at));
