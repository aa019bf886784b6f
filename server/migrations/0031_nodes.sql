CREATE TABLE "last_times" (
	"name" text NOT NULL,
	"id" bigint NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "last_times_name_id_pk" PRIMARY KEY("name","id")
);
--> statement-breakpoint
CREATE TABLE "node_people" (
	"person_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "node_people_person_id_node_id_pk" PRIMARY KEY("person_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_tabs" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"tabs" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "usage_tabs" ADD CONSTRAINT "usage_tabs_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "node_people_node" ON "node_people" USING btree ("node_id");