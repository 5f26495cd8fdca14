module github.com/holdfast-dev/holdfast/detect/secret/gen

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/zricethezav/gitleaks/v8 v8.30.1
)
