/**
 * For Mantine's `Modal`: its head is a `<header>`, which screen readers would take for a second banner of the page. Goes
 * into `attributes`.
 */
export const NO_LANDMARK = { header: { role: 'presentation' } };
