# Fit the crossed model with lme4 and print its figures as JSON. Argument: a CSV file of ratings.
suppressMessages(library(lme4))
ratings <- read.csv(commandArgs(TRUE)[1])
# The default tolerance of the inner search (1e-7) leaves errors of 0.5 % in the estimates.
control <- glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e5), tolPwrss = 1e-12)
model <- suppressMessages(glmer(
  hit ~ 0 + factor(system) + (1 | document) + (1 | prompt) + (1 | response) + (1 | item) + (1 | rater),
  ratings, family = binomial, nAGQ = 1, control = control
))
sds <- sapply(VarCorr(model), function(v) sqrt(v[1, 1]))
total <- sqrt(sum(sds^2))
marginal <- sapply(fixef(model), function(b) {
  integrate(function(z) plogis(b + total * z) * dnorm(z), -12, 12, rel.tol = 1e-10)$value
})
covariance <- as.matrix(vcov(model, use.hessian = TRUE))
list_of <- function(values) paste0("[", paste(sprintf("%.10g", values), collapse = ", "), "]")
cat(sprintf(
  paste0(
    '{"lme4": "%s", "singular": %s, "log_likelihood": %.10g, "fixed": %s, "errors": %s, "sds": {%s}, ',
    '"marginal": %s, "covariance_0_1": %.10g}\n'
  ),
  packageVersion("lme4"), tolower(isSingular(model)), as.numeric(logLik(model)), list_of(fixef(model)),
  list_of(sqrt(diag(covariance))), paste(sprintf('"%s": %.10g', names(sds), sds), collapse = ", "),
  list_of(marginal), covariance[1, 2]
))
