//! Reports as tables for people; shares in percent.

use std::fmt;

use crate::{
    bootstrap::Interval,
    buckets::Bucket,
    pii::KindReport,
    report::{GuardrailReport, Report, SuiteReport},
};

impl fmt::Display for Report {
    /// Writes a line for each suite and guardrail, then one for each bucket and the guardrails that have positives in it,
    /// and one for each PII type by language and format.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:<28} {:<22}", "suite", "guardrail")?;
        for column in ["pos", "neg", "AUC", "R.5%", "R1%", "R5%", "recall", "FP", "F1", "ECE"] {
            write!(out, " {column:>6}")?;
        }
        intervals_heading(out)?;
        self.suites.iter().try_for_each(|suite| write!(out, "{suite}"))?;
        self.fmt_buckets(out)?;
        self.fmt_pii(out)?;
        if let Some(dilution) = &self.dilution {
            write!(out, "\n{dilution}")?;
        }
        match &self.comparison {
            Some(comparison) => write!(out, "\n{comparison}"),
            None => Ok(()),
        }
    }
}

impl Report {
    fn fmt_buckets(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buckets = &self.buckets;
        let cuts = [("length", &buckets.length), ("language", &buckets.language), ("role", &buckets.role)];
        if cuts.iter().all(|(_, buckets)| buckets.is_empty()) {
            return Ok(());
        }
        write!(out, "\n{:<28} {:<22}", "texts by", "guardrail")?;
        for column in ["pos", "neg", "AUC", "recall", "FP"] {
            write!(out, " {column:>6}")?;
        }
        intervals_heading(out)?;
        for (cut, buckets) in cuts {
            buckets.iter().try_for_each(|bucket| fmt_bucket(out, cut, bucket))?;
        }
        Ok(())
    }

    fn fmt_pii(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pii.kinds.is_empty() {
            return Ok(());
        }
        write!(out, "\n{:<28} {:<22}", "personal data by", "type")?;
        for column in ["marked", "missed", "false", "recall", "prec.", "F2"] {
            write!(out, " {column:>6}")?;
        }
        writeln!(out)?;
        self.pii.kinds.iter().try_for_each(|kind| fmt_kind(out, "type", kind))?;
        for (cut, buckets) in [("language", &self.pii.language), ("format", &self.pii.format)] {
            for bucket in buckets {
                let name = format!("{cut} {}", bucket.bucket);
                std::iter::once(&bucket.all)
                    .chain(&bucket.kinds)
                    .try_for_each(|kind| fmt_kind(out, &name, kind))?;
            }
        }
        Ok(())
    }
}

fn fmt_kind(out: &mut fmt::Formatter<'_>, name: &str, one: &KindReport) -> fmt::Result {
    let counts = one.counts;
    write!(out, "{name:<28} {:<22}", one.kind)?;
    for count in [counts.hits + counts.misses, counts.misses, counts.false_alarms] {
        write!(out, " {count:>6}")?;
    }
    for share in [one.recall, one.precision, one.f2] {
        write!(out, " {:>6}", percent(share))?;
    }
    writeln!(out)
}

fn intervals_heading(out: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(out, " {:>13} {:>13} {:>13}", "AUC 95 %", "recall 95 %", "FP 95 %")
}

fn fmt_bucket(out: &mut fmt::Formatter<'_>, cut: &str, bucket: &Bucket) -> fmt::Result {
    let ((pass, wrongly), (flag, rightly)) = (bucket.should_pass, bucket.should_flag);
    let name = format!("{cut} {}", bucket.bucket);
    writeln!(
        out,
        "{name:<28} {:<22} {:>6} texts; flagged {wrongly} of {pass} to pass, {rightly} of {flag} to flag",
        "-", bucket.texts
    )?;
    for one in bucket.guardrails.iter().filter(|one| one.positives > 0) {
        write!(out, "{name:<28} {:<22} {:>6} {:>6}", one.guardrail, one.positives, one.negatives)?;
        for share in [one.rates.auc, one.rates.recall, one.rates.false_positive_rate] {
            write!(out, " {:>6}", percent(share))?;
        }
        for interval in [one.intervals.auc, one.intervals.recall, one.intervals.false_positive_rate] {
            write!(out, " {:>13}", range(interval))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

impl fmt::Display for SuiteReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((pass, wrongly), (flag, rightly)) = (self.should_pass, self.should_flag);
        writeln!(
            out,
            "{:<28} {:<22} {:>6} rows; flagged {wrongly} of {pass} to pass, {rightly} of {flag} to flag; \
             {:.1} ms a text, 95th percentile {:.1}",
            self.suite,
            "-",
            self.rows,
            f64::from(self.micros.0) / 1e3,
            f64::from(self.micros.1) / 1e3
        )?;
        for one in &self.guardrails {
            writeln!(out, "{:<28} {one}", self.suite)?;
        }
        for one in &self.pii {
            let (recall, precision, f2) = (percent(one.recall), percent(one.precision), percent(one.f2));
            writeln!(
                out,
                "{:<28} pii {:<18} recall {recall} precision {precision} F2 {f2}",
                self.suite, one.kind
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for GuardrailReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pooled = if self.negatives_pooled { "*" } else { " " };
        write!(
            out,
            "{:<22} {:>6} {:>6}{pooled}{:>6}",
            self.guardrail,
            self.positives,
            self.negatives,
            percent(self.auc)
        )?;
        for recall in self.recall_at {
            write!(out, " {:>6}", percent(recall))?;
        }
        let last = [self.recall, self.false_positive_rate, self.f1, self.calibration_error];
        last.into_iter().try_for_each(|share| write!(out, " {:>6}", percent(share)))?;
        let intervals = [self.intervals.auc, self.intervals.recall, self.intervals.false_positive_rate];
        intervals.into_iter().try_for_each(|interval| write!(out, " {:>13}", range(interval)))
    }
}

/// Returns a share in percent, or a dash.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

/// Returns an interval in percent, such as `73.5 to 81.4`, or a dash.
pub(crate) fn range(interval: Option<Interval>) -> String {
    let text = |interval: Interval| format!("{:.1} to {:.1}", 100.0 * interval.low, 100.0 * interval.high);
    interval.map_or_else(|| "-".to_owned(), text)
}
