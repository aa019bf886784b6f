/** Everything that is stored about somebody, as a file. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../ui/saveFile.ts';
import { dayAt } from '../../events/index.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { Done, Problem, Section } from '../parts/Section.tsx';
import { exportData } from '../profileQueries.ts';
import styles from '../Profile.module.css';

/** The section "Your data" of the profile: saves the export as a JSON file named after today (docs/product.md#3.29). */
export function ExportSection() {
  const { t } = useTranslation('profile');
  const exporting = useMutation({
    mutationFn: exportData,
    onSuccess: (file) => saveFile(file, `fieldroom-${dayAt(Date.now(), browserZone())}.json`),
  });
  return (
    <Section id="my-data" title={t('data.title')} lead={t('data.lead')}>
      <p className={styles.hint}>{t('data.contains')}</p>
      <Problem fault={exporting.error} />
      <div className={styles.acts}>
        <Button
          variant="default"
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          {t('data.download')}
        </Button>
        <Done>{exporting.isPending ? t('data.preparing') : exporting.isSuccess ? t('data.done') : null}</Done>
      </div>
    </Section>
  );
}
