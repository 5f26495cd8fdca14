module github.com/holdfast-dev/holdfast/detect/licence/gen

go 1.26.0
