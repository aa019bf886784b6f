/** The styles of what the server renders. They come before the first paint; the components that use them come after. */
import.meta.glob('./{JoinForms,JoinFrame,JoinNotices,joinParts}.module.css', { eager: true });
