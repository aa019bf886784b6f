/** The styles of the server's rendering. They are loaded before the first paint; the components that use them later. */
import.meta.glob('./{JoinForms,JoinFrame,JoinNotices,joinParts}.module.css', { eager: true });
