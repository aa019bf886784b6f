CREATE TABLE "scheduled_jobs" (
	"type" text PRIMARY KEY NOT NULL,
	"schedule" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_run_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"last_run_at" timestamp with time zone,
	"last_result" text,
	"last_counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"last_fault" text
);
--> statement-breakpoint
CREATE TABLE "bill_numbers" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_customers" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"customer" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bills" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bills_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"month" date NOT NULL,
	"issued_on" date NOT NULL,
	"due_on" date NOT NULL,
	"seconds" integer NOT NULL,
	"hours" integer NOT NULL,
	"currency" text NOT NULL,
	"hour_price" integer NOT NULL,
	"net" bigint NOT NULL,
	"tax_percent" integer NOT NULL,
	"tax" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"reverse_charge" boolean NOT NULL,
	"customer" jsonb NOT NULL,
	"seller" jsonb NOT NULL,
	"language" text NOT NULL,
	"email" text NOT NULL,
	"emailed_at" timestamp with time zone,
	CONSTRAINT "bills_amounts" CHECK ("bills"."gross" = "bills"."net" + "bills"."tax" and "bills"."net" = "bills"."hours" * "bills"."hour_price")
);
--> statement-breakpoint
CREATE TABLE "usage_accounts" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"plan" text DEFAULT 'TRIAL' NOT NULL,
	"professional_since" timestamp with time zone,
	"counted_ms" bigint DEFAULT 0 NOT NULL,
	"people_helped" integer DEFAULT 0 NOT NULL,
	"four_hours_mailed_at" timestamp with time zone,
	"four_hours_shown_at" timestamp with time zone,
	"trial_ended_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"stop_at" timestamp with time zone,
	"warning_until" timestamp with time zone,
	CONSTRAINT "usage_accounts_counted" CHECK ("usage_accounts"."counted_ms" >= 0 and "usage_accounts"."people_helped" >= 0)
);
--> statement-breakpoint
CREATE TABLE "usage_heartbeat" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "usage_heartbeat_one_row" CHECK ("usage_heartbeat"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "usage_intervals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "usage_intervals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"live_session_id" bigint,
	"plan" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "usage_intervals_forward" CHECK ("usage_intervals"."ended_at" >= "usage_intervals"."started_at")
);
--> statement-breakpoint
ALTER TABLE "billing_customers" ADD CONSTRAINT "billing_customers_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_accounts" ADD CONSTRAINT "usage_accounts_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bills_one_a_month" ON "bills" USING btree ("therapist_id","month");--> statement-breakpoint
CREATE UNIQUE INDEX "bills_number" ON "bills" USING btree ("year","sequence");--> statement-breakpoint
CREATE INDEX "bills_not_emailed" ON "bills" USING btree ("id") WHERE emailed_at is null;--> statement-breakpoint
CREATE INDEX "usage_accounts_due" ON "usage_accounts" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "usage_intervals_one_running" ON "usage_intervals" USING btree ("therapist_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "usage_intervals_therapist" ON "usage_intervals" USING btree ("therapist_id","started_at");--> statement-breakpoint
CREATE INDEX "usage_intervals_live_session" ON "usage_intervals" USING btree ("live_session_id");