// Generated from the server's OpenAPI document by `make web-types`; do not edit.

export const MEASURE_NAMES = {
  "count": "Count",
  "uniq_actors": "Unique actors",
  "uniq": "Unique values",
  "sum": "Sum",
  "avg": "Average",
  "median": "Median",
  "p95": "95th percentile",
  "p99": "99th percentile",
  "min": "Minimum",
  "max": "Maximum"
} as const;

export const TIME_RANGE_NAMES = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "today": "Today",
  "yesterday": "Yesterday",
  "wtd": "This week",
  "mtd": "This month",
  "ytd": "This year",
  "last_week": "Last week",
  "last_month": "Last month",
  "12mo": "12 months",
  "all": "All time"
} as const;
