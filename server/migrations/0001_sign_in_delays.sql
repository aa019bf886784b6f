CREATE TABLE "account_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_delays" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_tried_at" timestamp with time zone NOT NULL,
	"blocked_until" timestamp with time zone NOT NULL
);
