/** The kit's menu in a file of its own, fetched when the first menu is opened; see LazyMenu.tsx. */
export { Menu } from '@mantine/core';
