CREATE TABLE "message_settings" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"clients_may_write" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"live_session_id" bigint NOT NULL,
	"act_id" uuid NOT NULL,
	"from_id" bigint NOT NULL,
	"from_name" text NOT NULL,
	"to_id" bigint,
	"to_name" text,
	"text" text NOT NULL,
	"people_revision" bigint NOT NULL,
	"sent_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "admitted_revision" bigint;--> statement-breakpoint
ALTER TABLE "message_settings" ADD CONSTRAINT "message_settings_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_once" ON "messages" USING btree ("from_id","act_id");--> statement-breakpoint
CREATE INDEX "messages_live_session" ON "messages" USING btree ("live_session_id","id");