/** Fetches the menus' colours before the shell's first page, with code that the app's first script does not carry. */
export const fetchMenusAhead = async (): Promise<void> => (await import('./useMenuLook.ts')).fetchMenus();
