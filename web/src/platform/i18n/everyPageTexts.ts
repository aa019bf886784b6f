/** The texts that every page of the app needs. */
export const EVERY_PAGE_TEXTS = ['common', 'problems'] as const;
