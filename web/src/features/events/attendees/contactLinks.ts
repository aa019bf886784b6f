/** The address as a link. RFC 6068 wants the `@` as it is. */
export const emailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** The number as a link: digits and a plus in front (RFC 3966); the rest is for the eye. */
export const phoneLink = (phone: string): string =>
  `tel:${phone.trim().startsWith('+') ? '+' : ''}${phone.replace(/\D/g, '')}`;
