/** The pages about one's own booking, in one file (LazyOwnPages.tsx). */
export { HeldPage } from './held/HeldPage.tsx';
export { ConfirmPage } from './email/ConfirmPage.tsx';
export { OwnBookingPage } from './email/OwnBookingPage.tsx';
