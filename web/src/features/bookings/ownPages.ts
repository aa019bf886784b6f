/** The pages about one's own booking, as they come in one file (OwnPages.tsx). */
export { HeldPage } from './held/HeldPage.tsx';
export { LetterPage } from './email/ConfirmPage.tsx';
export { PrivatePage } from './email/OwnBookingPage.tsx';
