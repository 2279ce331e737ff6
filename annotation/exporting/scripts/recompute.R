# Recompute a report from its ratings, and compare: counts, proportions, design effects, means, closed-form intervals.
#
#   Rscript recompute.R             in the folder of the bundle; R 3.6 or newer, nothing else
#
# Reads ratings.csv (rows with in_report = 1), measures.csv (what each proportion counts), means.csv (what a response's
# value is, where there are means over responses), metadata.csv (what is known of the prompts), hybrid_items.csv (the
# sample and a judge's verdicts, where the report has a judge) and tables/report.csv. Ends with 0, or with 1 and every
# figure that differs. With the package lme4 it also fits the crossed models again and compares odds ratios and standard
# deviations within 2 %. Not computed here, but by recompute.py: BCa intervals, comparisons of systems with their p, and
# agreement. All else is verified by `manage.py rebuild_bundle` of Factuary, which builds the report again.

here <- commandArgs(trailingOnly = TRUE)
here <- if (length(here)) here[1] else "."
close <- 1e-8
fewest_clusters <- 10
fewest_differences <- 2
level <- 0.95
report <- paste(readLines(file.path(here, "report.json"), warn = FALSE, encoding = "UTF-8"), collapse = " ")
effective <- grepl('"degrees_of_freedom": *"effective"', report)
ignores_constant_verdicts <- grepl('"constant_verdicts": *"people alone"', report)

read <- function(name) {
  read.csv(file.path(here, name), colClasses = "character", check.names = FALSE, na.strings = character(),
           encoding = "UTF-8", fileEncoding = "", comment.char = "")
}

ratings <- read("ratings.csv")
ratings <- ratings[ratings$in_report == "1", ]
measures <- read("measures.csv")
metadata <- read("metadata.csv")
reported <- read(file.path("tables", "report.csv"))
means <- if (file.exists(file.path(here, "means.csv"))) read("means.csv") else NULL

# A pair that the report turns round: of what asks which of two responses it is, "a" and "b" change places.
turn <- function(rows) {
  for (question in unique(measures$question)) {
    if (all(c("a", "b") %in% measures$answer[measures$question == question])) {
      name <- paste0("answers.", question)
      other <- c(a = "b", b = "a")[rows[[name]]]
      rows[[name]] <- ifelse(rows$is_turned == "1" & !is.na(other), other, rows[[name]])
    }
  }
  rows
}
ratings <- turn(ratings)

# measures.csv says "measures", "shares" and "shares_of_assessed"; report.csv calls their rows so:
figure_of <- c(measures = "measure", shares = "option", shares_of_assessed = "assessed option")

holds <- function(rows, condition) {
  met <- rep(TRUE, nrow(rows))
  for (question in unique(condition$question)) {
    met <- met & rows[[paste0("answers.", question)]] %in% condition$answer[condition$question == question]
  }
  met
}

# Very unequal clusters (CV² of sizes above .5) have the degrees of their effective number.
degrees_of <- function(sizes) {
  worth <- sum(sizes)^2 / sum(sizes^2)
  if (effective && length(sizes) > 1.5 * worth) max(1, worth - 1) else length(sizes) - 1
}

korn_graubard <- function(k_c, n_c) {
  k <- sum(k_c); n <- sum(n_c); clusters <- length(n_c)
  found <- list(k = k, n = n, estimate = NA, deff = NA, low = NA, high = NA)
  if (n == 0) return(found)
  p <- k / n
  found$estimate <- p
  if (clusters < 2) return(found)
  variance <- clusters / (clusters - 1) * sum((k_c - p * n_c)^2) / n^2
  if (k > 0 && k < n) found$deff <- variance / (p * (1 - p) / n)
  if (clusters < fewest_clusters) return(found)
  upper <- (1 + level) / 2
  deff <- if (is.na(found$deff)) 1 else max(found$deff, 1)
  size <- n / deff * (qnorm(upper) / qt(upper, degrees_of(n_c)))^2
  hits <- if (k == n) size else p * size
  found$low <- if (k > 0) qbeta(1 - upper, hits, size - hits + 1) else 0
  found$high <- if (k < n) qbeta(upper, hits + 1, size - hits) else 1
  found
}

# Each table as rows and the value that each of them has in it: a prompt with several values is there several times.
week <- if (nrow(ratings)) format(as.POSIXct(substr(ratings$rated_at, 1, 19), format = "%Y-%m-%dT%H:%M:%S", tz = "UTC"),
                                  "%G-W%V") else character()
everything <- seq_len(nrow(ratings))
tables <- list(
  overall = list(rows = everything, system = "", value = ""),
  systems = list(rows = everything, system = ratings$report_system, value = ""),
  rater = list(rows = which(ratings$role == "rater"), system = "", value = ratings$rater[ratings$role == "rater"]),
  week = list(rows = everything, system = "", value = week)
)
keys <- unique(metadata$key)
for (key in keys) {
  of <- metadata[metadata$key == key, ]
  pairs <- merge(data.frame(row = everything, prompt = ratings$prompt), of[c("prompt", "value")], by = "prompt")
  tables[[paste("by", key)]] <- list(rows = pairs$row, system = "", value = pairs$value)
  tables[[paste("system", "\u00d7", key)]] <-
    list(rows = pairs$row, system = ratings$report_system[pairs$row], value = pairs$value)
}
# report.csv says "by KEY" only where another table is called KEY.
for (key in setdiff(keys, names(tables))) tables[[key]] <- tables[[paste("by", key)]]

compared <- 0
differing <- character()
check <- function(where, what, mine, theirs) {
  compared <<- compared + 1
  theirs <- suppressWarnings(as.numeric(theirs))
  same <- if (is.na(mine) || is.na(theirs)) is.na(mine) && is.na(theirs) else abs(mine - theirs) <= close * max(1, abs(theirs))
  if (!same) differing <<- c(differing, sprintf("%s: %s is %s here, %s in the report", where, what, format(mine, digits = 12), format(theirs, digits = 12)))
}

figures <- unique(measures[c("part", "key")])
for (at in seq_len(nrow(figures))) {
  part <- figures$part[at]; key <- figures$key[at]
  conditions <- measures[measures$part == part & measures$key == key, ]
  among <- holds(ratings, conditions[conditions$condition == "among", ])
  hit <- among & holds(ratings, conditions[conditions$condition == "counts", ])
  wanted <- reported[reported$figure == figure_of[[part]] & reported$key == key & reported$table %in% names(tables) &
                       !(part == "shares" & reported$method == ""), ]
  for (name in unique(wanted$table)) {
    of_table <- tables[[name]]
    cell <- paste(of_table$system, of_table$value, sep = "\r")
    if (length(cell) == 1) cell <- rep(cell, length(of_table$rows))
    kept <- among[of_table$rows]
    rows <- split(of_table$rows[kept], cell[kept])
    for (line in which(wanted$table == name)) {
      theirs <- wanted[line, ]
      of <- rows[[paste(theirs$system, theirs$value, sep = "\r")]]
      clusters <- ratings$cluster[of]
      mine <- korn_graubard(as.vector(tapply(as.numeric(hit[of]), clusters, sum)), as.vector(table(clusters)))
      where <- paste(name, theirs$system, theirs$value, part, key, sep = " / ")
      for (what in c("k", "n", "estimate")) check(where, what, mine[[what]], theirs[[what]])
      if (part == "measures") check(where, "deff", mine$deff, theirs$deff)
      if (theirs$method != "bca") for (what in c("low", "high")) check(where, what, mine[[what]], theirs[[what]])
    }
  }
}

# A response's value in a cell is of the cell's ratings of it: a proportion, the harmonic mean of two (0 if both are), or
# the mean of what its answers are worth. Each response weighs the same.
shares_by <- function(response, hit, among) {
  sums <- rowsum(cbind(ifelse(among, hit, 0), as.numeric(among)), response)
  setNames(sums[, 1] / sums[, 2], rownames(sums))
}

values_by <- function(of, wanted) {
  response <- paste(ratings$response[of], ratings$against[of], sep = "\r")
  if (any(wanted$question != "")) {
    worth <- as.numeric(wanted$worth[match(ratings[[paste0("answers.", wanted$question[1])]][of], wanted$answer)])
    return(shares_by(response, worth, !is.na(worth)))
  }
  shares <- lapply(wanted$measure, function(key) {
    if (key %in% means$key) return(values_by(of, means[means$key == key, ]))
    conditions <- measures[measures$part == "measures" & measures$key == key, ]
    among <- holds(ratings[of, ], conditions[conditions$condition == "among", ])
    shares_by(response, holds(ratings[of, ], conditions[conditions$condition == "counts", ]), among)
  })
  if (length(shares) == 1) return(shares[[1]])
  ifelse(shares[[1]] + shares[[2]] == 0, 0, 2 * shares[[1]] * shares[[2]] / (shares[[1]] + shares[[2]]))
}

mean_with_t <- function(value, cluster) {
  n <- length(value); clusters <- length(unique(cluster))
  found <- list(n = n, estimate = if (n) mean(value) else NA, low = NA, high = NA)
  if (clusters < fewest_clusters || length(unique(value)) == 1) return(found)
  away <- tapply(value, cluster, sum) - found$estimate * tapply(value, cluster, length)
  half <- qt((1 + level) / 2, clusters - 1) * sqrt(clusters / (clusters - 1) * sum(away^2)) / n
  found$low <- found$estimate - half
  found$high <- found$estimate + half
  found
}

for (key in unique(means$key)) {
  wanted <- means[means$key == key, ]
  lines <- reported[reported$figure == "mean" & reported$key == key & reported$table %in% names(tables), ]
  for (at in seq_len(nrow(lines))) {
    theirs <- lines[at, ]
    of_table <- tables[[theirs$table]]
    is_here <- of_table$system == theirs$system & of_table$value == theirs$value
    of <- if (length(is_here) == 1) of_table$rows[rep(is_here, length(of_table$rows))] else of_table$rows[is_here]
    value <- values_by(of, wanted)
    value <- value[!is.na(value)]
    cluster <- ratings$cluster[of][match(names(value), paste(ratings$response[of], ratings$against[of], sep = "\r"))]
    mine <- mean_with_t(value, cluster)
    where <- paste(theirs$table, theirs$system, theirs$value, "means", key, sep = " / ")
    for (what in c("n", "estimate", if (theirs$method != "bca") c("low", "high"))) check(where, what, mine[[what]], theirs[[what]])
  }
}

# Estimates from people's ratings of a sample and a judge's verdicts on all items. With w = 1/π for rated items and 0 for
# the others, y hits among a assessed ratings of people, and the judge's hit f among g, both times the overlap: the value
# is [Σwy − λΣ(w−v)f] / [Σwa − λΣ(w−v)g], its variance C/(C−1) Σ z_c² over units, z_c the sum of
# w(y − value a) − λ(w−v)(f − value g) over the denominator. v is 0 for an item that tuned the judge's prompt, and else 1
# over the probability that it did not: 1 without such items.
estimate_with <- function(lambda, of) {
  found <- list(value = NA, low = NA, high = NA, lambda = lambda, units = 0, z = numeric(units))
  sizes <- by_unit(of$w * of$a, of)
  found$units <- sum(sizes > 0)
  bottom <- sum(of$w * of$a) - lambda * sum((of$w - of$v) * of$g)
  if (found$units == 0 || bottom <= 0) return(found)
  p <- (sum(of$w * of$y) - lambda * sum((of$w - of$v) * of$f)) / bottom
  found$value <- p
  found$z <- by_unit(of$w * (of$y - p * of$a) - lambda * (of$w - of$v) * (of$f - p * of$g), of) / bottom
  found$counted <- if (lambda > 0) units else found$units
  if (found$units < fewest_clusters) return(found)
  upper <- (1 + level) / 2
  found$degrees <- degrees_of(sizes[sizes > 0])
  variance <- found$counted / (found$counted - 1) * sum(found$z^2)
  worth <- sum(of$w * of$a)^2 / sum(of$w^2 * of$a)
  found$variance <- variance
  found$added <- 0
  if (lambda > 0) {  # a few items of mean weight on which people and judge differ, at most the variance of people alone
    least <- lambda * fewest_differences * sum((of$w * of$a)^2)^2 / sum(of$w * of$a)^4
    found$added <- max(0, min(estimate_with(0, of)$variance, least) - variance)
    variance <- variance + found$added
  }
  most <- max(worth, if (lambda > 0) sum(of$g > 0))
  size <- if (p > 0 && p < 1 && variance > 0) min(most, p * (1 - p) / variance) else most
  size <- size * (qnorm(upper) / qt(upper, found$degrees))^2
  hits <- if (p >= 1) size else p * size
  found$low <- if (hits > 0) qbeta(1 - upper, hits, size - hits + 1) else 0
  found$high <- if (hits < size) qbeta(upper, hits + 1, size - hits) else 1
  found
}

# The best λ, from 0 to 1; people alone where it takes the value out of 0 to 1.
combined_estimate <- function(of) {
  alone <- estimate_with(0, of)
  if (is.na(alone$value)) return(alone)
  if (ignores_constant_verdicts && sum(of$f) %in% c(0, sum(of$g))) return(alone)  # they say nothing of which items differ
  people <- by_unit(of$w * (of$y - alone$value * of$a), of)
  judge <- by_unit((of$w - of$v) * (of$f - alone$value * of$g), of)
  people <- people - mean(people)
  judge <- judge - mean(judge)
  if (sum(judge^2) <= 1e-24 * max(1, sum(by_unit((of$w - of$v) * of$g, of)^2))) return(alone)
  both <- estimate_with(min(1, max(0, sum(people * judge) / sum(judge^2))), of)
  if (!is.na(both$value) && both$value > 0 && both$value < 1) both else alone
}

difference_of <- function(first, second) {
  found <- list(estimate = first$value - second$value, low = NA, high = NA)
  if (is.na(found$estimate) || min(first$units, second$units) < fewest_clusters) return(found)
  counted <- max(first$counted, second$counted)
  se <- sqrt(counted / (counted - 1) * sum((first$z - second$z)^2) + first$added + second$added)
  half <- qt((1 + level) / 2, min(first$degrees, second$degrees)) * se
  found$low <- found$estimate - half
  found$high <- found$estimate + half
  found
}

by_unit <- function(values, of) {
  sums <- numeric(units)
  of_unit <- rowsum(values, of$unit)
  sums[as.integer(rownames(of_unit))] <- of_unit
  sums
}

if (file.exists(file.path(here, "hybrid_items.csv"))) {
  items <- turn(read("hybrid_items.csv"))
  overlap <- as.numeric(sub('.*"hybrid": *\\{[^{}]*"overlap": *([0-9]+).*', "\\1", report))
  name_of <- function(rows) paste(rows$response, rows$against, rows$unit, as.integer(rows$item), sep = "\r")
  used <- if (is.null(ratings$verdict_shown)) ratings else ratings[ratings$verdict_shown != "1", ]
  item_of <- match(name_of(used), name_of(items))
  per_item <- function(values) {
    sums <- numeric(nrow(items))
    of_item <- rowsum(as.numeric(values[!is.na(item_of)]), item_of[!is.na(item_of)])
    sums[as.integer(rownames(of_item))] <- of_item
    sums
  }
  drawn <- items$is_drawn == "1"
  tuned <- items$verdict == "tuned"
  rated <- per_item(rep(1, nrow(used))) > 0 & drawn & !tuned
  probability <- as.numeric(items$probability)
  # Rated items, and tuning items, are a random part of what was drawn of their system.
  share <- function(part, whole) if (any(whole)) sum(part & whole) / sum(whole) else 0
  w <- v <- numeric(nrow(items))
  for (system in unique(items$report_system)) {
    mine <- items$report_system == system
    w[mine & rated] <- 1 / (probability[mine & rated] * share(rated, mine & drawn))
    tuned_part <- probability * share(tuned, mine & drawn) + (1 - probability) * share(tuned, mine & !drawn)
    v[mine & !tuned] <- 1 / (1 - tuned_part[mine & !tuned])
  }
  unit <- as.integer(factor(items$cluster))
  units <- max(unit)
  columns_of <- function(key, system) {
    conditions <- measures[measures$part == "measures" & measures$key == key, ]
    among <- conditions[conditions$condition == "among", ]
    counts <- conditions[conditions$condition == "counts", ]
    judged <- items$verdict == "rated" & holds(items, among)
    assessed <- holds(used, among)
    columns <- data.frame(
      unit = unit, w = w, v = v,
      y = rated * per_item(assessed & holds(used, counts)), a = rated * per_item(assessed),
      f = overlap * (judged & holds(items, counts)), g = overlap * judged
    )
    columns[system == "" | items$report_system == system, ]
  }
  for (key in unique(reported$key[reported$table == "hybrid"])) {
    lines <- reported[reported$table == "hybrid" & reported$key == key, ]
    estimates <- list()
    for (system in unique(lines$system)) {
      of <- columns_of(key, system)
      both <- combined_estimate(of)
      alone <- estimate_with(0, of)
      mine <- list(
        `people and judge` = list(estimate = both$value, low = both$low, high = both$high, n = sum(of$a)),
        `people alone` = list(estimate = alone$value, low = alone$low, high = alone$high, n = sum(of$a)),
        `judge alone` = list(estimate = if (any(of$g > 0)) sum(of$f) / sum(of$g) else NA, n = sum(of$g > 0)),
        lambda = list(estimate = both$lambda)
      )
      for (figure in names(mine)) {
        theirs <- lines[lines$system == system & lines$figure == figure, ]
        for (what in names(mine[[figure]])) {
          check(paste("hybrid", system, figure, key, sep = " / "), what, mine[[figure]][[what]], theirs[[what]])
        }
      }
      estimates[[paste0("\r", system)]] <- both
    }
    pairs <- reported[reported$table == "hybrid_comparisons" & reported$key == key, ]
    for (at in seq_len(nrow(pairs))) {
      mine <- difference_of(estimates[[paste0("\r", pairs$system[at])]], estimates[[paste0("\r", pairs$value[at])]])
      where <- paste("hybrid_comparisons", pairs$system[at], pairs$value[at], key, sep = " / ")
      for (what in names(mine)) check(where, what, mine[[what]], pairs[[what]][at])
    }
  }
}

# Whether the majority of an item's ratings is a hit; NA where they are tied. The most frequent answer decides; if a measure
# counts only some of the ratings with it, the majority of these does.
majority <- function(answer, hit) {
  votes <- table(answer)
  most <- max(votes)
  if (sum(votes == most) > 1) return(NA)
  hits <- sum(hit[answer == names(votes)[votes == most]])
  if (2 * hits == most) NA else 2 * hits > most
}

# The crossed models, independently by lme4; its default search stops within 1 % of the optimum.
model_close <- 0.02
fitted <- reported[reported$table == "crossed_models" & reported$value == "fitted", ]
if (nrow(fitted) && all(ratings$role == "rater") && requireNamespace("lme4", quietly = TRUE)) {
  levels_of <- list(
    document = ifelse(ratings$document == "", paste0("\r", ratings$prompt), ratings$document), prompt = ratings$prompt,
    response = ratings$response, item = paste(ratings$response, ratings$unit, ratings$item), rater = ratings$rater
  )
  for (row in seq_len(nrow(fitted))) {
    key <- fitted$key[row]
    conditions <- measures[measures$part == "measures" & measures$key == key, ]
    among <- holds(ratings, conditions[conditions$condition == "among", ])
    # Systems all or none of whose ratings count are not in the model.
    among <- among & ratings$report_system %in%
      reported$system[reported$table == "marginal_proportions" & reported$key == key]
    groupings <- reported[reported$table == "variance_components" & reported$key == key, ]
    counts <- conditions[conditions$condition == "counts", ]
    hit <- holds(ratings, counts)
    if (fitted$method[row] == "laplace of majorities") {
      # One answer per item: in the place of its first rating, the others are left out.
      answered <- names(ratings)[names(ratings) %in% paste0("answers.", counts$question)][1]
      among <- among & ratings[[answered]] != ""
      of_item <- split(which(among), levels_of$item[among])
      won <- vapply(of_item, function(of) if (mean(hit[of]) == 0.5) NA else mean(hit[of]) > 0.5, NA)
      first <- vapply(of_item, function(of) of[1], 1L)
      among <- seq_len(nrow(ratings)) %in% first[!is.na(won)]
      hit[first] <- won
    }
    data <- data.frame(hit = hit[among], system = factor(ratings$report_system[among]))
    for (name in groupings$value) data[[name]] <- factor(levels_of[[name]][among])
    terms <- paste0("(1 | ", groupings$value, ")", collapse = " + ")
    fit <- lme4::glmer(as.formula(paste("hit ~ 0 + system +", terms)), data, binomial,
                       control = lme4::glmerControl(optimizer = "bobyqa", tolPwrss = 1e-10))
    near <- function(what, mine, theirs) {
      compared <<- compared + 1
      if (abs(mine - theirs) > model_close * max(1, abs(theirs))) {
        differing <<- c(differing, sprintf("%s: %s is %s by lme4, %s in the report", key, what, mine, theirs))
      }
    }
    for (name in groupings$value) {
      near(name, attr(lme4::VarCorr(fit)[[name]], "stddev")[[1]], sqrt(as.numeric(groupings$estimate[groupings$value == name])))
    }
    effects <- setNames(lme4::fixef(fit), levels(data$system))
    odds <- reported[reported$table == "odds_ratios" & reported$key == key, ]
    for (at in seq_len(nrow(odds))) {
      near(paste(odds$system[at], odds$value[at]), effects[[odds$system[at]]] - effects[[odds$value[at]]],
           log(as.numeric(odds$estimate[at])))
    }
  }
} else if (nrow(fitted)) {
  cat("Crossed models: not fitted again; this needs the package lme4 and a report without adjudications.\n")
}

cat(sprintf("%d figures of %d ratings compared, %d differ.\n", compared, nrow(ratings), length(differing)))
if (length(differing)) {
  cat(differing, sep = "\n")
  cat("\n")
  quit(status = 1)
}
