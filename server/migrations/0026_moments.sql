CREATE TABLE "moments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "moments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"live_session_id" bigint NOT NULL,
	"act_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"name" text,
	"kept_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"after_move" integer NOT NULL,
	"figures" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "move_parts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "move_parts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"live_session_id" bigint NOT NULL,
	"after_move" integer NOT NULL,
	"starts_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"figures" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "moves" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"live_session_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"revision" bigint NOT NULL,
	"kind" text NOT NULL,
	"moved_by" text NOT NULL,
	"begun_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"moved_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"placed_figure" bigint,
	"steps" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "moments" ADD CONSTRAINT "moments_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "move_parts" ADD CONSTRAINT "move_parts_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moves" ADD CONSTRAINT "moves_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "moments_once" ON "moments" USING btree ("live_session_id","act_id");--> statement-breakpoint
CREATE INDEX "moments_in_order" ON "moments" USING btree ("live_session_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "move_parts_in_order" ON "move_parts" USING btree ("live_session_id","after_move");--> statement-breakpoint
CREATE UNIQUE INDEX "moves_in_order" ON "moves" USING btree ("live_session_id","number");