/** The kit's menu in its own file, fetched when the first menu is opened; see LazyMenu.tsx. */
export { Menu } from '@mantine/core';
