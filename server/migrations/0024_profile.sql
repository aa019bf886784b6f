CREATE TABLE "former_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"ended_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "public_pages" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"line" text NOT NULL,
	"about" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "email_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"asked_by" "bytea" NOT NULL,
	"asked_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"restore_hash" "bytea",
	"restorable_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "email_changes_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_changes_restore_hash_unique" UNIQUE("restore_hash")
);
--> statement-breakpoint
ALTER TABLE "accounts" ALTER COLUMN "gender" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "picture_file" uuid;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deletes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "device_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "system" text;--> statement-breakpoint
ALTER TABLE "former_slugs" ADD CONSTRAINT "former_slugs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_pages" ADD CONSTRAINT "public_pages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_slugs_account" ON "former_slugs" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "email_changes_account" ON "email_changes" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_open" ON "email_changes" USING btree ("account_id") WHERE ended_at is null;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_picture_file_stored_files_id_fk" FOREIGN KEY ("picture_file") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;