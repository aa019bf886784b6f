CREATE TABLE "sign_in_devices" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_devices" ADD CONSTRAINT "sign_in_devices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_devices_account" ON "sign_in_devices" USING btree ("account_id");