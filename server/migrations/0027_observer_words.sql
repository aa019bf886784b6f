CREATE TABLE "observer_invitations" (
	"live_session_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "observer_invitations" ADD CONSTRAINT "observer_invitations_live_session_id_live_sessions_id_fk" FOREIGN KEY ("live_session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;