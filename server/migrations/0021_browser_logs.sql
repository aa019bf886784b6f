CREATE TABLE "browser_log_files" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "browser_log_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"therapist_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"client_id" bigint,
	"bytes" integer DEFAULT 0 NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"first_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "browser_log_parts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "browser_log_parts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"file_id" bigint NOT NULL,
	"lines" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "browser_log_files" ADD CONSTRAINT "browser_log_files_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "browser_log_files" ADD CONSTRAINT "browser_log_files_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "browser_log_parts" ADD CONSTRAINT "browser_log_parts_file_id_browser_log_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."browser_log_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "browser_log_files_number" ON "browser_log_files" USING btree ("day","therapist_id","number");--> statement-breakpoint
CREATE INDEX "browser_log_files_client" ON "browser_log_files" USING btree ("client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE INDEX "browser_log_files_therapist" ON "browser_log_files" USING btree ("therapist_id");--> statement-breakpoint
CREATE INDEX "browser_log_parts_file" ON "browser_log_parts" USING btree ("file_id","id");