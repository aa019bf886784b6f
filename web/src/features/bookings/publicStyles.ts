/** The styles of the server's rendering. They are loaded before the first paint; the components that use them later. */
import.meta.glob('./{frame,event,therapist}/*.module.css', { eager: true });
