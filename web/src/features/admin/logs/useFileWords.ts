import { useTranslation } from 'react-i18next';

/** The name of a file on the page: by whose browsers wrote it. */
export function useFileWords(): (fileName: string) => string {
  const { t } = useTranslation('admin');
  return (fileName) => {
    const number = /^client-(\d+)\.log$/.exec(fileName)?.[1];
    return number === undefined ? t('logs.own') : t('logs.client', { number });
  };
}
