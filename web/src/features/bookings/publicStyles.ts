/** The styles of what the server renders. They come before the first paint; the components that use them come after. */
import.meta.glob('./{frame,event,therapist}/*.module.css', { eager: true });
