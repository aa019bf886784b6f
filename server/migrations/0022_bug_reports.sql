CREATE TABLE "bug_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bug_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"reporter" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"state" text DEFAULT 'NEW' NOT NULL,
	"priority" smallint NOT NULL,
	"comment" text NOT NULL,
	"page" text,
	"browser" text,
	"os" text,
	"screen_size" text,
	"view_size" text,
	"version" text,
	"language" text,
	"theme" text,
	"picture" uuid
);
--> statement-breakpoint
ALTER TABLE "bug_reports" ADD CONSTRAINT "bug_reports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bug_reports" ADD CONSTRAINT "bug_reports_picture_stored_files_id_fk" FOREIGN KEY ("picture") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bug_reports_created" ON "bug_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "bug_reports_account" ON "bug_reports" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "bug_reports_picture" ON "bug_reports" USING btree ("picture");